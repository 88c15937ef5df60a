/** Refuses a Node that is too old with a sentence. Nothing is imported here: an old Node can't read the rest. */

const least = [20, 19] as const;

/** What to print, or nothing if this Node will do. */
export function refuseNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > least[0] || (major === least[0] && minor >= least[1])) return undefined;
  return `culprit: Node ${least.join('.')} or later is needed, and this is Node ${version}.\nInstall a newer one from nodejs.org, or with your version manager: nvm install 24\n`;
}
