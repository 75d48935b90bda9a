// A bar that says what has happened, and may undo it.

import {byId, el} from './dom.js';

const SHOWN = 30000; // milliseconds

let timer = 0;
const undoable = []; // what the bar has said, the oldest first

/** Shows a text, and a button if what has happened can be undone. `forget` is called when it no longer can. */
export function notify(text, undo, forget) {
  const one = {text, undo, until: performance.now() + SHOWN};
  if (undo) {
    undoable.push(one);
    setTimeout(() => {
      if (undoable[0] === one) {
        undoable.shift();
        forget();
      }
    }, SHOWN);
  }
  show(one);
}

/** Undoes what was done last, and shows what was done before. Returns whether that is possible. */
export function undo() {
  const last = undoable.pop();
  hide();
  undoable.slice(-1).forEach(show);
  last?.undo();
  return last !== undefined;
}

function show({text, undo: act, until}) {
  const bar = byId('notice');
  bar.replaceChildren(el('span', {}, text),
    ...act ? [el('button', {type: 'button', click: undo}, 'Undo')] : [],
    el('button.close', {type: 'button', 'aria-label': 'Dismiss', click: hide}, '×'));
  bar.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(hide, until - performance.now());
}

function hide() {
  clearTimeout(timer);
  byId('notice').hidden = true;
}
