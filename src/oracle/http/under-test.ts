/** Runs one server or client in its own folder, and ends it. */
import { ownEnvironment } from '../../run/kept-environment.js';
import type { Seen } from './judge.js';
import { type Running, startProcess } from './process.js';
import type { TrafficContext } from './traffic.js';

/** Starts the process under test in its own folder. When `look` is done, ends the process and everything that it started. */
export async function runUnderTest(
  { settings, running }: TrafficContext,
  argv: readonly string[],
  more: Readonly<Record<string, string>>,
  look: (child: Running) => Promise<Seen>,
): Promise<Seen> {
  const place = await settings.enter?.();
  try {
    const env = { ...ownEnvironment(), ...place?.env, ...more };
    const child = (settings.start ?? startProcess)(argv, { env, cwd: place?.cwd ?? process.cwd() });
    running.add(child);
    try {
      const seen = await look(child);
      // Paths in the copy are shown as paths in the user's folder, so the location of a test never counts in a signature.
      const clean = (text: string) => {
        const placed = place ? text.replaceAll(place.cwd, () => process.cwd()) : text;
        return settings.cleaned?.(placed) ?? placed;
      };
      const answers = seen.answers.map(answer => ({ ...answer, body: clean(answer.body) }));
      return { ...seen, answers, stdout: clean(seen.stdout), stderr: clean(seen.stderr) };
    } finally {
      await child.kill();
      running.delete(child);
    }
  } finally {
    place?.leave();
  }
}
