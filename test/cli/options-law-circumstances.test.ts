/** The law of options, for options, env, traffic, actions, resume and verify. */
import { checkOptions, groups } from './options-law.js';

checkOptions(groups.ofCircumstances);
