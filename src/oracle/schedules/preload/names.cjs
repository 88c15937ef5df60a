'use strict';
/**
 * Names for events. A name is causal: the event whose callback asked for this one, what kind it is, the line that asked, and
 * the how-manieth of these it is. The same program under another schedule gives the same event the same name.
 */

const own = __dirname;
/** Frames that are inspected: the line that asked is usually near, and deep stacks are expensive. */
const shallow = 6;
const deep = 24;

/** Two 32-bit hashes as one text: short enough to list, long enough not to meet (cyrb53 with both halves kept). */
function hash(text, seed = 0) {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return [a >>> 0, b >>> 0];
}
const hex = number => number.toString(16).padStart(8, '0');
const idOf = text => hash(text).map(hex).join('');

const keepSites = (_, sites) => sites;

/** The call sites of the caller, without our own. User code may have set its own way to print a stack. */
function callSites(limit) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.prepareStackTrace = keepSites;
  Error.stackTraceLimit = limit;
  const holder = {};
  Error.captureStackTrace(holder, callSites);
  const sites = holder.stack;
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  return Array.isArray(sites) ? sites : [];
}

const isInternal = file => file.startsWith('node:') || file === 'evalmachine.<anonymous>';

/** Paths are relative to the folder that the run began in: tests run in copies of it, with links to its packages. */
function pathFrom(root) {
  const known = new Map();
  return file => {
    let path = known.get(file);
    if (path === undefined) {
      path = file.startsWith('file://') ? decodeURIComponent(file.slice(7)) : file;
      const packages = path.indexOf('/node_modules/');
      if (packages >= 0) path = path.slice(packages + 1);
      else if (path.startsWith(root)) path = path.slice(root.length);
      known.set(file, path);
    }
    return path;
  };
}

function openNames({ root, process: processName, isRecording }) {
  const path = pathFrom(root.endsWith('/') ? root : `${root}/`);
  const main = { id: idOf(processName), counts: new Map(), label: 'start of the program', isUsers: false };
  /** What names are relative to, and the event that runs. */
  let current = main;
  let running = main;

  const frame = site => {
    const name = site.getFunctionName();
    const at = `${path(site.getFileName() ?? '')}:${site.getLineNumber()}:${site.getColumnNumber()}`;
    return name ? `${name} (${at})` : at;
  };

  /** The nearest line that is not Node's, and the function of Node that it called; without one, the innermost function. */
  function askerIn(sites) {
    let call = '';
    let innermost = '';
    for (const site of sites) {
      const each = site.getFileName();
      if (!each || each.startsWith(own)) continue;
      if (!isInternal(each)) return { file: path(each), line: site.getLineNumber(), call };
      call = site.getFunctionName() ?? call;
      innermost ||= call;
    }
    return { file: undefined, line: 0, call: innermost };
  }

  /**
   * A new event, asked for by what runs now. `kind`: what it is; `group`: events of a group never overtake each other; `like`: an
   * earlier one that this one repeats, if no line asked for it again.
   */
  function name(kind, group, like) {
    let sites = callSites(isRecording ? deep : shallow);
    let asker = askerIn(sites);
    if (asker.file === undefined && sites.length >= shallow && !isRecording) {
      sites = callSites(deep);
      asker = askerIn(sites);
    }
    const { file, line } = asker;
    let { call } = asker;
    let place = file === undefined ? undefined : `${file}:${line}`;
    if (place === undefined && like) ({ place, call } = like);
    if (place === undefined) {
      const inner = sites.find(site => isInternal(site.getFileName() ?? ''));
      place = inner ? `${inner.getFileName()}:${inner.getLineNumber()}` : 'node';
    }
    const about = `${kind}@${place}`;
    const count = (current.counts?.get(about) ?? 0) + 1;
    (current.counts ??= new Map()).set(about, count);
    return {
      id: idOf(`${current.id}/${about}#${count}`),
      kind,
      call: call.slice(call.lastIndexOf('.') + 1),
      nth: count,
      place,
      isUsers: file !== undefined || current.isUsers,
      parent: running.id,
      group,
      stack: isRecording ? sites.filter(site => !(site.getFileName() ?? own).startsWith(own)).map(frame) : undefined,
      counts: undefined,
    };
  }

  /** An event of something that lives longer (a stream, a server, a child): named after it, whatever runs when it comes. */
  function nameOf(origin, kind, group) {
    const count = (origin.counts?.get(kind) ?? 0) + 1;
    (origin.counts ??= new Map()).set(kind, count);
    const { call, place, isUsers, parent, stack } = origin;
    return { id: idOf(`${origin.id}/${kind}#${count}`), kind, call, nth: count, place, isUsers, parent, group, stack };
  }

  return {
    name,
    nameOf,
    main,
    /** From now on, events are asked for by this one. */
    enter(event) {
      running = event;
      current = event.scope ?? event;
    },
  };
}

module.exports = { openNames, hash, idOf };
