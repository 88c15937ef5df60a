/** All formats in which a result can be written to a file of its own. The command line reads its options from here. */
import type { OutputFormat } from './output-format.js';
import { sarif } from './sarif.js';

export const outputFormats: readonly OutputFormat[] = [sarif];
