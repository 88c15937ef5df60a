/** What a compiler or an interpreter says about something that is missing: it often names what a candidate needs. */
import type { Run } from '../process/types.js';

const most = 6;
const widest = 160;

/** The lines of the output that match, short enough for a journal. */
export function linesAbout(pattern: RegExp, { stderr, stdout }: Run): readonly string[] {
  const lines = Buffer.concat([stderr, Buffer.from('\n'), stdout])
    .toString('utf8')
    .split('\n');
  return lines
    .filter(line => pattern.test(line) && !/: (?:note|warning): /.test(line))
    .slice(0, most)
    .map(line => line.trim().slice(0, widest));
}

const aboutMissing =
  /not defined|not declared|undeclared|undefined (?:reference|symbol|variable|name)|is not a (?:function|constructor)|has no (?:member|attribute)|cannot import name|no module named|unexpected keyword argument|implicit declaration|unknown type name|cannot find|conflicting types|redefinition|redeclar|multiple definition|too (?:few|many) arguments|incomplete (?:element )?type/i;

/** The program's own words if it misses a name. */
export function complaintOf(run: Run): string | undefined {
  const complaints = linesAbout(aboutMissing, run);
  return complaints.length === 0 ? undefined : complaints.join('; ');
}

/** A reason, with the program's own words if it misses a name. */
export function withComplaints(reason: string, run: Run): string {
  const complaint = complaintOf(run);
  return complaint === undefined ? reason : `${reason}: ${complaint}`;
}
