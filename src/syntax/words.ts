/** The words of a text in which names may be, in most languages: letters, digits, `_` and `$`. */
export const wordsIn = (text: string): readonly string[] => text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
