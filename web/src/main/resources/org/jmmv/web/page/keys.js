// The keys of the page, and a dialog that shows them.

import {byId, el} from './dom.js';

const KEYS = [
  ['Everywhere', [
    ['/', 'search'],
    ['?', 'these keys'],
    ['Ctrl Z', 'undo the removal of a chart or line']
  ]],
  ['Search', [
    ['shop card', 'both words are in names, help, units, instances or labels'],
    ['file:shop type:counter unit:ms', 'of a file, type and unit: a click on one writes it'],
    ['"two words"', 'as they are']
  ]],
  ['List', [
    ['↑ ↓ Page Up Page Down Home End', 'move'],
    ['← →', 'fold, unfold'],
    ['Enter', 'chart'],
    ['Shift Enter', 'add to the last chart, or to the chosen one'],
    ['Delete', 'remove from the charts']
  ]],
  ['Chart that has the focus', [
    ['← →', 'move the cursor; with Shift ten times as far'],
    ['Home End', 'cursor to the first or last value'],
    ['+ −', 'zoom in; show the whole window'],
    ['Space', 'pause, resume'],
    ['Escape', 'without a cursor; again: show the whole window'],
    ['Delete', 'remove the chart; in its legend, the line']
  ]]
];

/** Shows the keys. */
export function showKeys() {
  const dialog = byId('keys');
  if (!dialog.hasChildNodes()) {
    dialog.append(
      el('h2', {id: 'keys-title'}, 'Keys'),
      ...KEYS.flatMap(([title, keys]) => [el('h3', {}, title), el('dl', {}, ...keys.flatMap(([key, what]) => [
        el('dt', {}, ...key.match(/Page \w+|\S+/g).flatMap(name => [el('kbd', {}, name), ' '])), el('dd', {}, what)]))]),
      el('form', {method: 'dialog'}, el('button', {autofocus: true}, 'Close')));
  }
  if (!dialog.open) {
    dialog.showModal();
  }
}
