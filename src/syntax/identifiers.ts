/** What can be a name in most languages: letters, digits, `_` and `$`, and no digit first. */
export const identifiersIn = (text: string): readonly string[] => text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
