import type { GroupView, Table, TreeItem } from '../../src/report/page/data.js';

/** What jobs other than `reduce` put on the page. */
export const sampleTree: readonly TreeItem[] = [
  {
    label: 'gdb/infcmd.c',
    status: 'culprit',
    detail: '3 changes',
    children: [
      {
        label: '1239,5 → 1278,5',
        status: 'culprit',
        detail: 'run_command',
        code: '-  "Set arguments to give program being debugged when it is started.\\n\\\n+  "Set argument list to give program being debugged when it is started.\\n\\\n   Follow this command with any number of args, to be passed to the program."',
      },
      { label: '812,1 → 851,7', status: 'innocent', detail: 'jump_command' },
      { label: '97 → 103,2', status: 'set aside', detail: 'never executed' },
    ],
  },
  {
    label: 'gdb/doc',
    status: 'set aside',
    detail: '41 changes, no code',
    children: [
      { label: 'gdb/doc/gdb.texinfo', status: 'set aside' },
      { label: 'gdb/doc/stabs.texinfo', status: 'set aside' },
    ],
  },
  { label: 'gdb/valops.c', status: 'innocent', detail: '7 changes' },
];

export const sampleTable: Table = {
  caption: 'Options',
  columns: ['Option', 'Value', 'Without it'],
  rows: [
    ['-O2', '', 'passes'],
    ['-fgcse', '', 'still fails'],
    ['-I', '/usr/local/include/a/rather/long/path/that/does/not/break/easily/and/goes/on', 'still fails'],
    ['-march', 'native', 'passes'],
  ],
  remaining: [0, 3],
};

export const sampleGroups: readonly GroupView[] = [
  {
    number: 1,
    files: 3,
    variants: [
      {
        failure: 'SIGSEGV in `read_cell` ← `get_cell` ← `cmd_row`',
        stacks: ['read_cell ← get_cell ← cmd_row', 'read_cell ← get_cell ← cmd_all'],
        files: ['crashes/1', 'crashes/2'],
        count: 3,
        containing: 1,
        form: 'row4<script>',
        bytes: 12,
        isMinimal: true,
        command: './target triage/forms/01',
      },
      { failure: 'exit 3', stacks: [], files: [], count: 0, containing: 0, isMinimal: false },
    ],
  },
];
