import type { Configuration, Outcome } from '../../src/core/index.js';
import { of } from '../../src/core/index.js';
import type { Event } from '../../src/engine/events.js';
import { complement, type Delta, htmlPage } from './sample-page.js';

/** A run as a user would have it: ddmin by line, token and character on a page that crashes a renderer by its SELECT. */
export interface Sample {
  readonly events: readonly Event[];
  readonly original: string;
  readonly result: string;
}

const failure = 'SIGSEGV in nsListControlFrame::GetMultiple ← nsListControlFrame::Reflow ← nsPrintEngine::Print';

export function sampleRun(lines = 896): Sample {
  const original = htmlPage(lines);
  const events: Event[] = [
    {
      type: 'began',
      job: 'reduce bugzilla.html',
      before: { bytes: original.length, deltas: original.split('\n').length },
      signature: failure,
      rule: 'fail = ends by SIGSEGV with the same top frames; pass = exit 0; anything else is unresolved',
      command: './render --print {}',
    },
  ];
  const counts = { tests: 0, executed: 0, cached: 0, unresolved: 0, speculative: 0 };
  const known = new Map<string, Outcome>();
  let text = original;
  const levels: [string, RegExp][] = [
    ['line', /[^\n]*\n|[^\n]+$/g],
    ['token', /\w+|\s+|[^\w\s]/g],
    ['character', /[\s\S]/g],
  ];
  for (let round = 1, changed = true; changed; round++) {
    changed = false;
    for (const [pass, pattern] of levels) {
      const units = text.match(pattern) ?? [];
      events.push({ type: 'pass', pass, round, deltas: units.length, strategy: 'ddmin', bytes: text.length });
      let current: Delta[] = units.map((_, i) => i);
      for (let n = 2; current.length > 1; ) {
        const parts = Array.from({ length: Math.min(n, current.length) }, (_, i, of = Math.min(n, current.length)) =>
          current.slice(Math.floor((i * current.length) / of), Math.floor(((i + 1) * current.length) / of)),
        );
        const questions = [
          ...parts.map((part, i) => ({ part, name: `Δ${i + 1}`, n: 2 })),
          ...(n > 2 ? parts.map((part, i) => ({ part: complement(current, part), name: `∇${i + 1}`, n: n - 1 })) : []),
        ];
        const failing = questions.find(({ part, name }) => {
          const candidate = part.map(i => units[i]).join('');
          const outcome = known.get(candidate) ?? render(candidate);
          const rule =
            outcome === 'fail'
              ? name.startsWith('Δ')
                ? 'reduce to subset, n = 2'
                : `reduce to complement, n = ${n - 1}`
              : '';
          counts.tests++;
          if (known.has(candidate)) counts.cached++;
          else counts.executed++;
          if (outcome === 'unresolved') counts.unresolved++;
          events.push({
            type: 'answered',
            step: counts.tests,
            configuration: of(part) as Configuration,
            outcome,
            known: known.has(candidate),
            bytes: candidate.length,
            n,
            part: name,
            ...(rule && { rule }),
            ...(outcome === 'unresolved' && { reason: /<SCRIPT>/.test(candidate) ? 'another failure' : 'timeout' }),
          });
          if (outcome === 'unresolved' && counts.unresolved % 40 === 3)
            events.push({
              type: 'noticed',
              what: 'other failure',
              text: otherFailures[counts.unresolved % otherFailures.length]!,
              path: `.culprit/bugzilla-1/other-failures/${counts.unresolved % otherFailures.length}`,
            });
          known.set(candidate, outcome);
          return outcome === 'fail';
        });
        if (failing) {
          current = failing.part;
          n = Math.max(2, failing.n);
          changed ||= pass === 'character';
          const bytes = current.reduce((sum, i) => sum + units[i]!.length, 0);
          events.push({ type: 'reduced', step: counts.tests, size: { bytes, deltas: current.length } });
        } else if (n < current.length) n = Math.min(current.length, 2 * n);
        else break;
      }
      text = current.map(i => units[i]).join('');
    }
  }
  const size = { bytes: text.length, deltas: text.length };
  const minimal = levels.map(([name]) => name);
  events.push({ type: 'ended', ended: 'done', minimal, size, counts, seconds: counts.executed * 0.0123 });
  return { events, original, result: text };
}

const otherFailures = [
  'assertion failed: "mContent" at nsHTMLReflowState.cpp:412 ← nsBlockFrame::ReflowLine',
  'SIGFPE in nsTableFrame::BalanceColumns',
  'timeout after 1 s: no output',
];

/** The renderer: a list in a table kills it, half an element confuses it, and now and then so does a script. */
function render(text: string): Outcome {
  if (/<TABLE[^<>]*>.*<TD[^<>]*>.*<SELECT[^<>]* MULTIPLE[^<>]*>.*<OPTION[^<>]*>.*<\/TABLE>/s.test(text)) return 'fail';
  const half = /<SELECT[^>]*$/.test(text) || (text.includes('<SCRIPT>') && !text.includes('</SCRIPT>'));
  return half || (text.length % 7 === 3 && text.includes('<TD')) ? 'unresolved' : 'pass';
}
