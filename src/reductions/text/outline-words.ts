/** Words of a text without a grammar: what may be a name, and what is probably a comment. */

/** A line that is a comment, or what follows code on its line, in most notations. */
const comment = /^[^\S\n]*(?:--|\/\/|\/\*|\(\*|[;#%*!]).*|\s(?:--|\/\/|[;#%])\s.*/gm;
export const withoutComments = (text: string): string => text.replace(comment, '');

const name = /\|[^|\s][^|\n]*\|(?=[\s)])|[@%$][\w.$-]+|[\p{L}_][\p{L}\p{N}_$']*/gu;

/** Every word that may be a name. Case means nothing in many notations, and rarely makes a difference in the others. */
export const namesIn = (text: string): readonly string[] => (text.match(name) ?? []).map(each => each.toLowerCase());
