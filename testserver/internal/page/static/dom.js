// Elements are made here and nowhere else. All texts become text nodes, so that no
// name of an object can become markup.

const svgNamespace = 'http://www.w3.org/2000/svg';

// el returns an HTML element. Children are elements or texts; null is left out.
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

// svg is like el for elements of a drawing.
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(svgNamespace, name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

// button returns a button that calls action.
export function button(text, action, attributes = {}) {
  const made = el('button', { type: 'button', ...attributes }, text);
  made.addEventListener('click', action);
  return made;
}

// copied returns a text with a button that copies it. Browsers allow that on https and on
// local addresses only; elsewhere the button selects the text.
export function copied(text) {
  const shown = el('pre', { tabindex: 0 }, plain(text, '\n'));
  const copy = async () => {
    getSelection().selectAllChildren(shown);
    await navigator.clipboard?.writeText(text).then(() => { made.textContent = 'Copied'; }, () => {});
  };
  const made = button('Copy', copy, { class: 'copy' });
  return el('div', { class: 'copied' }, made, shown);
}

// isPressed reports whether a button of the mouse or a finger is down. An element that the
// page replaces meanwhile does not get the click.
export function isPressed() {
  return pressed;
}

let pressed = false;
addEventListener('pointerdown', () => { pressed = true; }, true);
for (const name of ['pointerup', 'pointercancel', 'pointermove', 'blur']) {
  addEventListener(name, (event) => { if (!event.buttons) setTimeout(() => { pressed = false; }); }, true); // after the click
}

export function byId(id) {
  return document.getElementById(id);
}

// invisible are characters that a reader cannot see or that change the order of other
// characters: controls, white space without width, and marks of direction.
const invisible =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu;

// plain returns a foreign text with all its invisible characters as escapes, such as
// \u{202e}. keep is a character that stays.
export function plain(text, keep = '') {
  return String(text).replace(invisible, (found) => (found === keep ? found : `\\u{${found.codePointAt(0).toString(16)}}`));
}

// foreign returns an element for a foreign text whose direction does not change that
// of the text around it.
export function foreign(text, attributes = {}) {
  return el('bdi', attributes, plain(text));
}

// short returns a long id with its middle left out.
export function short(id) {
  return id.length > 22 ? `${id.slice(0, 14)}…${id.slice(-6)}` : id;
}

// words splits a filter into the words that a text must contain.
export function words(filter) {
  return filter.toLowerCase().split(/\s+/).filter(Boolean);
}

export function containsAll(text, wanted) {
  return wanted.every((word) => text.includes(word));
}
