export type Delta = number;

export const complement = (all: readonly Delta[], part: readonly Delta[]): Delta[] => {
  const gone = new Set(part);
  return all.filter(delta => !gone.has(delta));
};

const systems = [
  'All',
  'Windows 3.1',
  'Windows 95',
  'Windows 98',
  'Windows NT',
  'Mac System 7',
  'MacOS 8.5',
  'Linux',
  'FreeBSD',
  'OS/2',
  'BeOS',
  'HP-UX',
  'IRIX',
  'Solaris',
  'SunOS',
];
const components = ['Layout', 'Printing', 'Parser', 'Networking', 'Editor', 'Mail', 'Necko', 'XPFE'];

/** A bug tracker's query page of so many lines, the way such pages were written in 1999; one SELECT, in its last third. */
export function htmlPage(lines: number): string {
  const page = [
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN">',
    '<HTML>',
    '<HEAD><TITLE>Query a bug database - advanced</TITLE></HEAD>',
    '<BODY BGCOLOR="#FFFFFF" TEXT="#000000" LINK="#0000EE" VLINK="#551A8B" ALINK="#FF0000">',
    '<SCRIPT>',
    "document.write('<B>' + new Date() + '</B>');",
    '</SCRIPT>',
    '<TABLE BORDER=0 CELLPADDING=12 CELLSPACING=0 WIDTH="100%">',
  ];
  for (let i = 0; page.length < lines - 12; i++) {
    const bug = 10_000 + ((i * 7919) % 89_999);
    page.push('<TR VALIGN="top">', `  <TD NOWRAP><A HREF="show_bug.cgi?id=${bug}">${bug}</A></TD>`);
    page.push(`  <TD><FONT SIZE=-1>${systems[i % systems.length]}</FONT></TD>`);
    page.push(
      `  <TD>${components[i % components.length]}: crash no. ${i} while printing, see <I>bug ${bug - 17}</I></TD>`,
      '</TR>',
    );
    if (i === Math.floor(lines / 8))
      page.push(
        '<TR><TD ALIGN=left VALIGN=top>',
        '<SELECT NAME="op sys" MULTIPLE SIZE=7>',
        ...systems.map(name => `<OPTION VALUE="${name}">${name}`),
        '</SELECT>',
        '</TD></TR>',
      );
  }
  return `${[...page, '</TABLE>', '<P>Send comments to the owner of this page.</P>', '</BODY>', '</HTML>'].join('\n')}\n`;
}
