/** The members that a word in a class means: those of the class itself, or of one around it. */
import type { Declarations } from '../declarations.js';

const colon = ':'.charCodeAt(0);

export class OwnMembers {
  /** By token, the innermost class between whose braces it is; −1 outside classes. */
  private readonly classAt: Int32Array;

  constructor(
    private readonly declarations: Declarations,
    /** By word: the members with this name, and the definitions of members outside their classes. */
    private readonly inner: readonly (readonly number[] | undefined)[],
  ) {
    const { all, tokens } = declarations;
    this.classAt = new Int32Array(tokens.count).fill(-1);
    for (const [i, { kind, contents }] of all.entries())
      if (kind === 'class' && contents) this.classAt.fill(i, tokens.partner[contents.to - 1]!, contents.to);
  }

  /** What a word without a qualifier means in its class; undefined if it may mean something else. */
  of(word: number, token: number): readonly number[] | undefined {
    const { all, tokens } = this.declarations;
    const members = this.inner[word];
    if (members === undefined) return undefined;
    for (let at = this.classAt[token]!; at >= 0; at = all[at]!.within) {
      const { kind, contents, names } = all[at]!;
      if (kind !== 'class') return undefined;
      // A friend is declared in the class, and is no member.
      if (members.some(i => all[i]!.within === at && all[i]!.isFriend !== true))
        return members.filter(i => all[i]!.within === at || names.includes(all[i]!.owner ?? -1));
      // It may be a member of a class that this one inherits from.
      if (contents && tokens.sign[contents.from] === colon) return undefined;
    }
    return undefined;
  }
}
