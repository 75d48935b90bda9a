// Elements of the page. Texts are always text nodes, because names and help texts may hold anything.

/**
 * Creates an element.
 *
 * @param {string} tag the name, perhaps with classes: 'span.muted'
 * @param {object} attributes attributes by name; a function is a listener of the event of that name
 * @param {...(Node|string)} children
 */
export function el(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name);
  element.classList.add(...classes);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(key, value);
    } else if (value !== undefined && value !== false) {
      element.setAttribute(key, value === true ? '' : value);
    }
  }
  element.append(...children);
  return element;
}

/** Returns the element with an ID. */
export function byId(id) {
  return document.getElementById(id);
}

/** Sets a text if it is another one, so that nothing is laid out in vain. */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** Sets or removes an attribute if it is another one. */
export function setAttribute(element, name, value) {
  if (value === null) {
    element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value);
  }
}

/** Gives an element other children. Those that stay where they are keep the focus. */
export function setChildren(parent, children) {
  const kept = new Set(children);
  [...parent.children].filter(child => !kept.has(child)).forEach(child => child.remove());
  let next = parent.firstChild;
  for (const child of children) {
    if (child === next) {
      next = next.nextSibling;
    } else {
      parent.insertBefore(child, next);
    }
  }
}

/** Creates an element of SVG. */
export function svg(name, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  element.append(...children);
  return element;
}

/** Copies a text. Returns whether it was possible. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { // not permitted, or not a secure context, such as http of another host
    const area = el('textarea.hidden', {readonly: true}, text);
    const {activeElement} = document;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    activeElement?.focus();
    return isCopied;
  }
}

/** Returns a button that copies a text. */
export function copyButton(text, label = undefined) {
  const button = el('button', {type: 'button', 'aria-label': label, click: copy}, 'Copy');

  async function copy() {
    button.textContent = await copyText(text) ? 'Copied' : 'Not copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  }

  return button;
}

/** Returns a preformatted text with a button that copies it. */
export function copyable(text, label) {
  return el('div.copyable', {}, el('pre', {tabindex: '0', role: 'region', 'aria-label': label}, text), copyButton(text));
}
