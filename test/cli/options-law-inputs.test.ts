/** The law of options, for reduce, isolate and changes. */
import { checkOptions, groups } from './options-law.js';

checkOptions(groups.ofInputs);
