/** The law of options, for all other commands. */
import { checkOptions, groups } from './options-law.js';

checkOptions(groups.others);
