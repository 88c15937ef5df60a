/** The part of the recorder that runs inside the page. */
import type { Button, ChosenFile, Modifier, Selectors } from '../../sources/recording/recording.js';
import { namingScript } from './in-page.js';

// biome-ignore lint/suspicious/noExplicitAny: the page's own objects; the DOM is not in this project's type library
type Dom = any;
declare const document: Dom;
declare const window: Dom;
declare const CSS: Dom;
declare const HTMLElement: Dom;
declare function rootsOf(root: Dom): Dom[];
declare function nameOf(element: Dom): string;
declare function roleOf(element: Dom): string;

/** What the page reports about one user action. */
export type PageMessage =
  | {
      readonly did: 'press' | 'release';
      readonly selectors: Selectors;
      readonly offsetX: number;
      readonly offsetY: number;
      readonly button: Button;
      readonly clickCount: number;
      readonly modifiers: readonly Modifier[];
      readonly sameAsPress: boolean;
    }
  | { readonly did: 'hover'; readonly selectors: Selectors; readonly offsetX: number; readonly offsetY: number }
  | {
      readonly did: 'keyDown' | 'keyUp';
      readonly key: string;
      readonly code: string;
      readonly modifiers: readonly Modifier[];
    }
  | { readonly did: 'change'; readonly selectors: Selectors; readonly value: string }
  | { readonly did: 'select'; readonly selectors: Selectors; readonly values: readonly string[] }
  | { readonly did: 'files'; readonly selectors: Selectors; readonly files: readonly ChosenFile[] }
  | { readonly did: 'scroll'; readonly selectors?: Selectors; readonly x: number; readonly y: number };

export const bindingName = '__culpritTell';

/** Listens before the page does, to what the user really did (trusted events), and reports it in order. */
function listen(typing: 'keys' | 'values', tellName: string): void {
  const tell = (what: PageMessage) => window[tellName]?.(what);

  const quoted = (text: string) => text.replace(/["\\]/g, '\\$&');
  /** Names that a build step generates change with the next build. */
  const steady = (id: string) => id !== '' && !/\d{4,}|^:r|^radix-|^headlessui-|[0-9a-f]{8,}/i.test(id);
  const pathWithin = (element: Dom, root: Dom): string => {
    const steps: string[] = [];
    for (let each = element; each && each !== root && each.nodeType === 1; each = each.parentElement) {
      if (steady(each.id) && root.querySelectorAll(`#${CSS.escape(each.id)}`).length === 1) {
        steps.unshift(`#${CSS.escape(each.id)}`);
        break;
      }
      const tag = each.localName;
      const alike = each.parentElement
        ? [...each.parentElement.children].filter((other: Dom) => other.localName === tag)
        : [each];
      steps.unshift(alike.length > 1 ? `${tag}:nth-of-type(${alike.indexOf(each) + 1})` : tag);
    }
    return steps.join(' > ');
  };
  const selectorsOf = (element: Dom): Selectors => {
    const root = element.getRootNode();
    const found: (string | string[])[] = [];
    const hosts: string[] = [];
    for (let host = root.host; host; host = host.getRootNode().host)
      hosts.unshift(pathWithin(host, host.getRootNode()));
    const within = (selector: string) => (hosts.length > 0 ? [...hosts, selector] : [selector]);
    const only = (selector: string) => root.querySelectorAll(selector).length === 1;
    for (const attribute of ['data-testid', 'data-test', 'data-qa', 'data-cy']) {
      const value = element.getAttribute(attribute);
      if (value && only(`[${attribute}="${quoted(value)}"]`)) found.push(within(`[${attribute}="${quoted(value)}"]`));
    }
    if (steady(element.id) && only(`#${CSS.escape(element.id)}`)) found.push(within(`#${CSS.escape(element.id)}`));
    const name = nameOf(element);
    const role = roleOf(element);
    if (name && name.length <= 80 && role && hosts.length === 0) {
      const alike = rootsOf(document)
        .flatMap((each: Dom) => [...each.querySelectorAll('*')])
        .filter((each: Dom) => roleOf(each) === role && nameOf(each) === name);
      if (alike.length === 1) found.push([`aria/${name}[role="${role}"]`]);
    }
    const path = within(pathWithin(element, root));
    if (!found.some(chain => String(chain) === String(path))) found.push(path);
    return found;
  };

  const modifiersOf = (event: Dom): Modifier[] =>
    (['Alt', 'Control', 'Meta', 'Shift'] as const).filter(name => event.getModifierState(name));
  /** The element that the user means: the button around an icon, not the icon. */
  const targetOf = (event: Dom): Dom => {
    const deepest = event.composedPath()[0] ?? event.target;
    const element = deepest.nodeType === 1 ? deepest : document.documentElement;
    return (
      element.closest(
        'button, a[href], select, summary, [role="button"], [role="menuitem"], [role="tab"], [role="link"]',
      ) ?? element
    );
  };
  const placeOf = (event: Dom) => {
    const element = targetOf(event);
    const box = element.getBoundingClientRect();
    const offset = (value: number) => Math.round(value * 10) / 10;
    return {
      selectors: selectorsOf(element),
      offsetX: offset(event.clientX - box.x),
      offsetY: offset(event.clientY - box.y),
    };
  };
  const buttons: Button[] = ['primary', 'auxiliary', 'secondary', 'back', 'forward'];
  /** A drop-down draws its list outside the page: only what was chosen can be seen. */
  const isDropDown = (element: Dom) =>
    element.localName === 'option' || (element.localName === 'select' && !element.multiple && element.size <= 1);

  let hovering: Dom;
  let resting: Dom;
  let lastHovered: Dom;
  const flush = () => {
    clearTimeout(resting);
    if (scrolls.size > 0) for (const each of scrolls.values()) each();
  };
  const scrolls = new Map<Dom, () => void>();
  let pressed: { element: Dom; x: number; y: number } | undefined;

  const on = (type: string, handle: (event: Dom) => void) =>
    window.addEventListener(type, (event: Dom) => event.isTrusted && handle(event), { capture: true, passive: true });

  on('mousemove', event => {
    if (event.movementX === 0 && event.movementY === 0 && targetOf(event) === lastHovered) return;
    clearTimeout(resting);
    hovering = event;
    // The pointer's final position is an action; its path there is not.
    resting = setTimeout(() => {
      const element = targetOf(hovering);
      if (element === lastHovered || !element.isConnected) return;
      lastHovered = element;
      tell({ did: 'hover', ...placeOf(hovering) });
    }, 60);
  });
  on('mousedown', event => {
    flush();
    const element = targetOf(event);
    if (isDropDown(element)) return;
    lastHovered = element;
    pressed = { element, x: event.clientX, y: event.clientY };
    tell({
      did: 'press',
      ...placeOf(event),
      button: buttons[event.button] ?? 'primary',
      clickCount: event.detail || 1,
      modifiers: modifiersOf(event),
      sameAsPress: true,
    });
  });
  on('mouseup', event => {
    flush();
    if (isDropDown(targetOf(event))) return;
    const near =
      pressed !== undefined && Math.abs(pressed.x - event.clientX) <= 3 && Math.abs(pressed.y - event.clientY) <= 3;
    tell({
      did: 'release',
      ...placeOf(event),
      button: buttons[event.button] ?? 'primary',
      clickCount: event.detail || 1,
      modifiers: modifiersOf(event),
      sameAsPress: near,
    });
    pressed = undefined;
  });

  const isText = (element: Dom) =>
    element.isContentEditable ||
    element.localName === 'textarea' ||
    (element.localName === 'input' && /^(text|search|url|tel|email|password|number)$/.test(element.type));
  const isTyping = (event: Dom) =>
    typing === 'values' &&
    isText(event.composedPath()[0]) &&
    event.key.length === 1 &&
    !event.altKey &&
    !event.ctrlKey &&
    !event.metaKey;
  for (const did of ['keyDown', 'keyUp'] as const)
    on(did.toLowerCase(), event => {
      if (event.isComposing || event.key === 'Process' || (event.repeat && event.key.length > 1) || isTyping(event))
        return;
      flush();
      tell({ did, key: event.key, code: event.code, modifiers: modifiersOf(event).filter(name => name !== event.key) });
    });

  on('input', event => {
    const element = event.composedPath()[0];
    const untyped = /^insertFrom|^insertReplacement|^insertComposition|^deleteByCut/.test(event.inputType ?? '');
    if (isText(element) && (typing === 'values' || untyped))
      tell({ did: 'change', selectors: selectorsOf(element), value: element.value ?? element.textContent });
  });
  on('change', event => {
    const element = event.composedPath()[0];
    flush();
    if (element.localName === 'select') {
      const values = [...element.selectedOptions].map((option: Dom) => option.value);
      if (isDropDown(element)) tell({ did: 'select', selectors: selectorsOf(element), values });
    } else if (element.type === 'file') {
      const read = async (file: Dom): Promise<ChosenFile> => {
        let binary = '';
        for (const byte of new Uint8Array(await file.arrayBuffer())) binary += String.fromCharCode(byte);
        return { name: file.name, mimeType: file.type, base64: window.btoa(binary) };
      };
      const selectors = selectorsOf(element);
      void Promise.all([...element.files].map(read)).then(files => tell({ did: 'files', selectors, files }));
    } else if (/^(color|date|datetime-local|month|range|time|week)$/.test(element.type ?? ''))
      tell({ did: 'change', selectors: selectorsOf(element), value: element.value });
  });
  on('scroll', event => {
    const element = event.target === document ? undefined : event.target;
    const report = () => {
      clearTimeout(timer);
      scrolls.delete(element);
      const place = element instanceof HTMLElement ? element : undefined;
      if (place) tell({ did: 'scroll', selectors: selectorsOf(place), x: place.scrollLeft, y: place.scrollTop });
      else tell({ did: 'scroll', x: window.scrollX, y: window.scrollY });
    };
    clearTimeout(scrolls.get(element) ? timers.get(element) : undefined);
    const timer = setTimeout(report, 100);
    timers.set(element, timer);
    scrolls.set(element, report);
  });
  const timers = new Map<Dom, Dom>();
}

export const recorderScript = (typing: 'keys' | 'values'): string =>
  `(() => { ${namingScript}\n(${listen})(${JSON.stringify(typing)}, ${JSON.stringify(bindingName)}); })()`;
