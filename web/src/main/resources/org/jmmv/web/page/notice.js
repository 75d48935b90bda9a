// A bar that says what has happened, and may undo it.

import {byId, el} from './dom.js';

const SHOWN = 30000; // milliseconds

let timer = 0;
let undoShown = null;

/** Shows a text, and a button if what has happened can be undone. `forget` is called when it no longer can. */
export function notify(text, undo = null, forget = () => {}) {
  hide();
  const bar = byId('notice');
  const act = () => {
    undoShown = null; // it is not forgotten, but done
    hide();
    undo();
  };
  undoShown = undo && {act, forget};
  bar.replaceChildren(el('span', {}, text),
    ...undo ? [el('button', {type: 'button', click: act}, 'Undo')] : [],
    el('button.close', {type: 'button', 'aria-label': 'Dismiss', click: hide}, '×'));
  bar.hidden = false;
  timer = setTimeout(hide, SHOWN);
}

/** Undoes what the bar says. Returns whether that is possible. */
export function undo() {
  const isPossible = undoShown !== null;
  undoShown?.act();
  return isPossible;
}

function hide() {
  clearTimeout(timer);
  byId('notice').hidden = true;
  undoShown?.forget();
  undoShown = null;
}
