/** All formats in which a result can be written to a separate file. The command line reads its options from here. */
import type { OutputFormat } from './output-format.js';
import { sarif } from './sarif.js';

export const outputFormats: readonly OutputFormat[] = [sarif];
