/** Functions that run inside the page: finding elements, and waiting until it is idle. */
import type { Selectors } from '../../sources/recording/recording.js';

/**
 * Functions that run inside the page: they are sent as text, so each must be self-contained. The DOM is not part of this
 * project's type library on purpose (`core` must not touch it), hence the one loose type here.
 */
// biome-ignore lint/suspicious/noExplicitAny: the page's own objects, see above
type Dom = any;
declare const document: Dom;
declare const window: Dom;
declare const getComputedStyle: (element: Dom) => Dom;

export interface Search {
  readonly selectors: Selectors;
  readonly offsetX?: number;
  readonly offsetY?: number;
  /** Milliseconds until an element that is not there counts as missing. */
  readonly patience: number;
  /** What to do with the element once it is there. */
  readonly purpose: 'point' | 'set' | 'select' | 'scroll' | 'find' | 'count';
  /** For `count`: how many there must be. */
  readonly operator?: '>=' | '==' | '<=';
  readonly count?: number;
  readonly values?: readonly string[];
  readonly x?: number;
  readonly y?: number;
}

export type Found =
  | { readonly missing: true; readonly waited: number }
  | {
      readonly missing: false;
      readonly waited: number;
      readonly x: number;
      readonly y: number;
      readonly typed?: boolean;
      /** A drop-down was set. */
      readonly isDropDown?: boolean;
    };

/** The document and every shadow root within it. */
function rootsOf(root: Dom): Dom[] {
  const found: Dom[] = [root];
  for (const element of root.querySelectorAll('*'))
    if (element.shadowRoot) for (const inner of rootsOf(element.shadowRoot)) found.push(inner);
  return found;
}

/** What a person reads in it; a label does not read out the control that it holds. */
function textOf(element: Dom): string {
  const held = element.localName === 'label' ? 'select, input, textarea, button' : '';
  const read = (node: Dom): string =>
    node.nodeType === 3
      ? node.data
      : node.nodeType !== 1 || (held && node !== element && node.matches(held))
        ? ''
        : [...node.childNodes].map(read).join('');
  return read(element).replace(/\s+/g, ' ').trim();
}

/** The accessible name, by the rules of the W3C's computation that matter for what people click on. */
function nameOf(element: Dom): string {
  const labelled = element.getAttribute('aria-labelledby');
  if (labelled) {
    const parts = labelled.split(/\s+/).map((id: string) => element.getRootNode().getElementById?.(id));
    return parts.filter(Boolean).map(textOf).join(' ');
  }
  const label = element.getAttribute('aria-label');
  if (label?.trim()) return label.trim();
  if (element.labels?.length) return [...element.labels].map(textOf).join(' ');
  if (element.tagName === 'INPUT' && /^(button|submit|reset)$/.test(element.type)) return element.value;
  if (element.alt) return element.alt;
  if (!/^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName) && textOf(element)) return textOf(element);
  return element.title || element.getAttribute('placeholder') || '';
}

function roleOf(element: Dom): string {
  const role = element.getAttribute('role');
  if (role) return role;
  const tag = element.tagName.toLowerCase();
  if (tag === 'input') {
    const byType: Record<string, string> = {
      button: 'button',
      submit: 'button',
      reset: 'button',
      image: 'button',
      checkbox: 'checkbox',
      radio: 'radio',
      range: 'slider',
      number: 'spinbutton',
      search: 'searchbox',
    };
    return byType[element.type] ?? 'textbox';
  }
  const byTag: Record<string, string> = {
    a: 'link',
    button: 'button',
    select: 'combobox',
    textarea: 'textbox',
    option: 'option',
    img: 'img',
    nav: 'navigation',
    dialog: 'dialog',
    li: 'listitem',
    ul: 'list',
    ol: 'list',
    table: 'table',
    tr: 'row',
    td: 'cell',
    form: 'form',
    h1: 'heading',
    h2: 'heading',
    h3: 'heading',
    h4: 'heading',
    h5: 'heading',
    h6: 'heading',
    summary: 'button',
  };
  return byTag[tag] ?? '';
}

/**
 * Shared by the search for an element and by the recorder, so that both name elements in the same way. A bundler may rename a
 * function whose name is taken elsewhere: the page has it by both names.
 */
export const namingScript = Object.entries({ rootsOf, textOf, nameOf, roleOf })
  .map(([name, helper]) => (helper.name === name ? `${helper}` : `${helper}\nconst ${name} = ${helper.name};`))
  .join('\n');

async function search(request: Search): Promise<Found> {
  const began = performance.now();
  const { selectors } = request;

  const shown = (element: Dom): boolean => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(element).visibility !== 'hidden';
  };
  const all = (selector: string, root: Dom): Dom[] => {
    const [, kind, rest] = /^(aria|text|xpath|pierce|css)\/([\s\S]*)$/.exec(selector) ?? ['', 'css', selector];
    if (kind === 'css') return [...root.querySelectorAll(rest)];
    if (kind === 'pierce') return rootsOf(root).flatMap(each => [...each.querySelectorAll(rest)]);
    if (kind === 'xpath') {
      const result = document.evaluate(rest, root, null, 7, null);
      return Array.from({ length: result.snapshotLength }, (_, i) => result.snapshotItem(i));
    }
    const elements = rootsOf(root).flatMap(each => [...each.querySelectorAll('*')]);
    if (kind === 'text') {
      const holding = elements.filter(
        each =>
          !/^(SCRIPT|STYLE|HEAD|TITLE)$/.test(each.tagName) && (textOf(each).includes(rest!) || each.value === rest),
      );
      return holding.filter(each => !holding.some(other => other !== each && each.contains(other)));
    }
    const [, wanted, role] = /^([\s\S]*?)(?:\[role="([^"]*)"\])?$/.exec(rest!)!;
    const matching = elements.filter(each => (!role || roleOf(each) === role) && (!wanted || nameOf(each) === wanted));
    // The element that carries the name, not the wrapper whose text happens to be the same.
    return role ? matching : matching.filter(each => !matching.some(other => other !== each && each.contains(other)));
  };
  /** Parts that only choose among what was found, as `nth` and `filter` of Playwright do. */
  const chosen = (part: string, found: readonly Dom[]): Dom[] | undefined => {
    const [, kind, rest = ''] = /^culprit:(nth|has-text)\/([\s\S]*)$/.exec(part) ?? [];
    if (kind === 'nth') return [found.at(Number(rest))].filter(each => each !== undefined);
    // Playwright ignores case here, and how many spaces there are.
    const plain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase();
    return kind === undefined ? undefined : found.filter(each => plain(each.textContent ?? '').includes(plain(rest)));
  };
  const enough = (count: number): boolean => {
    const wanted = request.count ?? 1;
    return request.operator === '==' ? count === wanted : request.operator === '<=' ? count <= wanted : count >= wanted;
  };
  const find = (): Dom => {
    let most = 0;
    for (const chain of selectors) {
      let found: Dom[] = [document];
      try {
        for (const part of typeof chain === 'string' ? [chain] : chain)
          found =
            chosen(part, found) ??
            found.flatMap(root => all(part, root === document ? root : (root.shadowRoot ?? root)));
      } catch {
        found = []; // a selector that this browser can't read is one that finds nothing
      }
      most = Math.max(most, found.length);
      const element = request.purpose === 'find' || request.purpose === 'scroll' ? found[0] : found.find(shown);
      if (element && request.purpose !== 'count') return element;
    }
    return request.purpose === 'count' && enough(most) ? document.documentElement : undefined;
  };
  const moving = (element: Dom): boolean =>
    document
      .getAnimations()
      .some(
        (each: Dom) =>
          each.playState === 'running' &&
          each.effect?.getComputedTiming().endTime !== Infinity &&
          each.effect?.target?.contains(element),
      );

  let element = find();
  // A busy machine gives the page few turns, and wakes two timers that are due in one of them: an element is missing only after so
  // many turns as the patience has on an idle machine, but not much later than twice the patience.
  const enoughTurns = Math.max(request.patience, 50);
  let patient = 0;
  for (let seen = began; !element || moving(element); element = find()) {
    if (patient >= enoughTurns || seen - began >= 2 * request.patience + 1000) {
      if (element) break;
      return { missing: true, waited: performance.now() - began };
    }
    await new Promise(resolve => setTimeout(resolve, 10));
    const now = performance.now();
    patient += Math.min(now - seen, 20);
    seen = now;
  }
  const waited = performance.now() - began;

  const fire = (...types: string[]) => {
    for (const type of types) element.dispatchEvent(new window.Event(type, { bubbles: true, composed: true }));
  };
  switch (request.purpose) {
    case 'set': {
      const typeable =
        element.isContentEditable ||
        element.tagName === 'TEXTAREA' ||
        (element.tagName === 'INPUT' && /^(text|search|url|tel|email|password|number)$/.test(element.type));
      element.focus();
      if (typeable) {
        if (element.select) element.select();
        else window.getSelection().selectAllChildren(element);
        return { missing: false, waited, x: 0, y: 0, typed: true };
      }
      if (element.options && ![...element.options].some((option: Dom) => option.value === request.values![0]))
        return { missing: true, waited };
      if (/^(checkbox|radio)$/.test(element.type)) element.checked = /^(true|on|1)$/.test(request.values![0]!);
      else element.value = request.values![0];
      fire('input', 'change');
      return { missing: false, waited, x: 0, y: 0, ...(element.options ? { isDropDown: true } : {}) };
    }
    case 'select': {
      const wanted = new Set(request.values);
      const options = [...element.options];
      if (!options.some(option => wanted.has(option.value))) return { missing: true, waited };
      for (const option of options) option.selected = wanted.has(option.value);
      fire('input', 'change');
      break;
    }
    case 'scroll':
      element.scrollTo({ left: request.x ?? 0, top: request.y ?? 0, behavior: 'instant' });
      break;
    case 'point': {
      const middle = (box: Dom) => [box.x + box.width / 2, box.y + box.height / 2];
      const [x, y] = middle(element.getBoundingClientRect());
      if (x! < 0 || y! < 0 || x! > window.innerWidth || y! > window.innerHeight)
        element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      break;
    }
  }
  const box = element.getBoundingClientRect();
  const along = (offset: number | undefined, size: number) =>
    offset === undefined ? size / 2 : Math.min(Math.max(offset, 0), Math.max(size - 1, 0));
  return {
    missing: false,
    waited,
    x: box.x + along(request.offsetX, box.width),
    y: box.y + along(request.offsetY, box.height),
  };
}

export const searchScript = (request: Search): string =>
  `(() => { ${namingScript}\nreturn (${search})(${JSON.stringify(request)}); })()`;

/** Resolves when the page has drawn once and its event loop had a turn; at once if it never draws. */
export const settleScript = `new Promise(resolve => {
  const done = () => setTimeout(resolve);
  requestAnimationFrame(done);
  setTimeout(done, 100);
})`;
