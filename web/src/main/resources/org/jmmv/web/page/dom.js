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

/** Returns a preformatted text with a button that copies it. */
export function copyable(text, label) {
  const code = el('pre', {tabindex: '0', role: 'region', 'aria-label': label}, text);
  const button = el('button', {type: 'button', click: copy}, 'Copy');

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch { // not permitted, or not a secure context
      getSelection().selectAllChildren(code);
      button.textContent = 'Press Ctrl+C';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  }

  return el('div.copyable', {}, code, button);
}
