/** What to say while a first run does not end. */

/** Nothing is printed before the first run has ended, so after this many seconds people wonder. */
const wondering = 10;

/** Says what to do if the first run is slow: it may never end. */
export async function hintIfSlow<T>(running: Promise<T>, say: (line: string) => void, seconds = wondering): Promise<T> {
  const hint = `The first run takes more than ${seconds} s. If it hangs, stop it (Ctrl-C), and add --hang, or --timeout <s> for a limit.`;
  const timer = setTimeout(() => say(hint), seconds * 1000);
  try {
    return await running;
  } finally {
    clearTimeout(timer);
  }
}
