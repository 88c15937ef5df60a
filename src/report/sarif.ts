/** The lines to blame as SARIF 2.1.0, which code-scanning views read. */
import type { OutputFormat } from './output-format.js';

/** As `--json` has them. */
export interface BlamedLines {
  readonly file: string;
  readonly lines: { readonly old?: readonly [number, number]; readonly new?: readonly [number, number] };
  readonly change: string;
  readonly code: string;
  readonly cause: number;
}

export interface SarifContext {
  readonly version: string;
  /** The failure in words. */
  readonly failure: string;
  readonly causes: number;
}

export const sarif: OutputFormat = {
  name: 'sarif',
  description: 'also write the culprit lines as SARIF, for code-scanning views',
  jobs: ['changes'],
  without: ['prevent'],
  write(json, version) {
    const culprits = (json.culprits ?? []) as readonly BlamedLines[];
    const causes = typeof json.causes === 'number' ? json.causes : 1;
    return toSarif(culprits, { version, failure: String(json.signature ?? ''), causes });
  },
};

/** Lines that exist only in the old version are reported at the place in the new one where they were removed. */
export function toSarif(culprits: readonly BlamedLines[], { version, failure, causes }: SarifContext): string {
  const results = culprits.map(({ file, lines, change, code, cause }) => {
    const [from, to] = lines.new ?? [lines.old?.[0] ?? 1, lines.old?.[0] ?? 1];
    const kind = lines.new ? 'This change' : 'The removal of lines here';
    const alone = causes > 1 ? ` (cause ${cause} of ${causes})` : '';
    return {
      ruleId: 'culprit/change',
      level: 'error',
      message: { text: `${kind} makes the test fail${alone}: ${failure}\n\n${change}\n${code}` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/') },
            region: { startLine: Math.max(1, from), endLine: Math.max(1, from, to) },
          },
        },
      ],
    };
  });
  const rule = {
    id: 'culprit/change',
    shortDescription: { text: 'A change that makes a test fail' },
    fullDescription: { text: 'Without this change the test passes; with it, and without the others, it fails.' },
  };
  const driver = { name: 'culprit', version, rules: [rule] };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}
