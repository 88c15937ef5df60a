import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReportData } from '../../src/report/page/data.js';
import { embedded, writeReport } from '../../src/report/page/write.js';
import { foldAll } from '../../src/report/state.js';
import { launchChromium, withoutChromium } from './chromium.js';
import { sampleRun } from './sample.js';
import { sampleGroups, sampleTable, sampleTree } from './sample-sections.js';

const { events, original, result } = sampleRun();
const sample: ReportData = {
  ...foldAll(events, 0),
  title: 'reduce bugzilla.html',
  original,
  result,
  reproduce: './render --print bugzilla.reduced.html',
};
const evil = '</script><script>window.evil = 1</script><!-- <img src=x onerror="window.evil = 1"> \u2028 \ud800 \u0000';

let folder: string;
let browser: Browser | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'culprit-report-'));
  if (!withoutChromium) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Look {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
}

/** The page in a browser; whatever it complains about, or asks the network for, is a failure of the test. */
async function show(data: ReportData, { width = 1280, scheme = 'light' }: Look, use: (page: Page) => Promise<void>) {
  const path = join(folder, 'report.html');
  await writeReport(path, data);
  const context = await browser!.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', message => complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  page.on('request', request => {
    if (!/^(file|data):/.test(request.url())) complaints.push(request.url());
  });
  try {
    await page.goto(pathToFileURL(path).href);
    await page.waitForSelector('#plot canvas');
    await use(page);
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
  }
}

const needs = withoutChromium ? ' (left out: there is no chromium on PATH)' : '';
const inChromium = (name: string, run: () => Promise<void>) => test.skipIf(withoutChromium)(`${name}${needs}`, run);

/** Runs in the page; as text, because it speaks of a document that no other code here has. */
const measurePage = `() => {
  const canvas = document.querySelector('#plot canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  for (let i = 0; i < data.length; i += 4)
    if (data[i + 3] > 200) colours.add([data[i] >> 5, data[i + 1] >> 5, data[i + 2] >> 5].join());
  const [red] = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number);
  return { colours: colours.size, scroll: document.documentElement.scrollWidth, light: red > 128 };
}`;

for (const scheme of ['light', 'dark'] as const)
  for (const width of [390, 1280])
    inChromium(`At ${width} px in ${scheme} nothing scrolls sideways, and the plot is drawn.`, () =>
      show({ ...sample, tree: sampleTree, table: sampleTable }, { width, scheme }, async page => {
        const seen = await page.evaluate<{ colours: number; scroll: number; light: boolean }>(`(${measurePage})()`);
        expect(seen.scroll).toBe(width);
        expect(seen.colours).toBeGreaterThan(3);
        expect(seen.light).toBe(scheme === 'light');
      }),
    );

inChromium(
  'An answer that is a sentence, and a tiny share that is left, read as a person would write them.',
  async () => {
    const summary = (page: Page) => page.locator('#summary').textContent();
    const ended = { type: 'ended' as const, ended: 'done' as const, minimal: [], seconds: 1 };
    const counts = { tests: 1, executed: 1, cached: 0, unresolved: 0, speculative: 0 };
    const sentence = 'At least 2 causes.';
    const answer = foldAll([...events, { ...ended, counts, size: { deltas: 1 }, sentence }], 0);
    await show({ ...sample, ...answer }, {}, async page => {
      expect(await summary(page)).toContain(sentence);
      expect(await summary(page)).not.toMatch(/false|undefined|null/);
    });
    const size = { bytes: 8, deltas: 1 };
    const began = { type: 'began' as const, job: 'reduce', before: { bytes: 4_000_000, deltas: 1 } };
    const tiny = foldAll([began, { type: 'reduced', step: 1, size }, { ...ended, counts, size }], 0);
    await show({ ...sample, ...tiny }, {}, async page => {
      expect(await summary(page)).toContain('Less than 0.01 % of the original is left');
    });
  },
);

inChromium('Groups of failing inputs have a row per variant, with form, stack, count and command.', () =>
  show({ ...sample, groups: sampleGroups }, { width: 390 }, async page => {
    const rows = page.locator('#groups tbody tr');
    expect(await rows.count()).toBe(2);
    const first = await rows.first().textContent();
    expect(first).toContain('row4<script>');
    expect(first).toContain('read_cell ← get_cell ← cmd_all');
    expect(first).toContain('./target triage/forms/01');
    expect(await rows.first().locator('summary').textContent()).toBe('3');
    expect(await rows.nth(1).textContent()).toContain('not reduced');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  }),
);

inChromium('The transcript shows only the outcome that is chosen, and all of them when paged through.', () =>
  show(sample, {}, async page => {
    const outcomes = () =>
      page
        .locator('#transcript tr[data-outcome]')
        .evaluateAll(rows => rows.map(row => row.getAttribute('data-outcome')));
    const answered = events.filter(event => event.type === 'answered');
    for (const outcome of ['fail', 'pass', 'unresolved'] as const) {
      await page.locator(`#transcript [data-key="${outcome}"]`).click();
      let shown = await outcomes();
      for (;;) {
        const next = page.locator('#transcript [data-turn="Next page"]');
        if ((await next.count()) === 0 || (await next.isDisabled())) break;
        await next.click();
        shown = [...shown, ...(await outcomes())];
      }
      expect(new Set(shown)).toEqual(new Set([outcome]));
      expect(shown).toHaveLength(answered.filter(event => event.outcome === outcome).length);
    }
  }),
);

inChromium('What remains is marked in the original, and a fold opens by keyboard.', () =>
  show(sample, {}, async page => {
    const marks = await page.locator('.code.original mark').allTextContents();
    expect(marks.join('')).toBe(result);
    const before = await page.locator('.code.original .row').count();
    await page.locator('.code.original button.fold').first().focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('.code.original .row').count()).toBeGreaterThan(before);
  }),
);

inChromium('The scale, the zoom and the colours can be changed by keyboard.', () =>
  show(sample, {}, async page => {
    const picture = () => page.evaluate<string>("document.querySelector('#plot canvas').toDataURL()");
    const pictures = [await picture()];
    for (const button of [
      '#plot [data-key="linear"]',
      '#plot [aria-label="Zoom in"]',
      '#plot [aria-label="See all tests"]',
      '#theme',
      '#theme',
    ]) {
      await page.locator(button).focus();
      await page.keyboard.press('Enter');
      await page.waitForTimeout(50);
      pictures.push(await picture());
    }
    expect(pictures[1]).not.toBe(pictures[0]);
    expect(pictures[2]).not.toBe(pictures[1]);
    expect(pictures[3]).toBe(pictures[1]);
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    expect(pictures[5]).not.toBe(pictures[4]);
  }),
);

inChromium('Markup, control characters and bytes that are no UTF-8 are shown, and never run.', () => {
  const bytes = Uint8Array.of(0x3c, 0x62, 0x3e, 0xff, 0x00, 0x0a);
  const data: ReportData = {
    ...sample,
    ...{ title: evil, signature: evil, rule: evil, command: evil, reproduce: evil, original: bytes, result: bytes },
    otherFailures: [{ text: evil, path: evil, times: 1 }],
    tree: [{ label: evil, status: 'culprit', code: evil }],
    table: { columns: [evil], rows: [[evil]] },
  };
  return show(data, {}, async page => {
    expect(await page.evaluate("'evil' in window")).toBe(false);
    expect(await page.locator('#summary h1').textContent()).toContain('</script><script>window.evil');
    expect(await page.locator('.code.result').textContent()).toContain('<b>\\xff␀');
  });
});

inChromium('A page without an original, a signature or any answer shows no empty section.', () =>
  show({ ...foldAll(events.slice(0, 1), 0), title: 'just begun' }, {}, async page => {
    const visible = await page.locator('section:not([hidden])').evaluateAll(all => all.map(one => one.id));
    expect(visible).toEqual(['summary', 'plot']);
  }),
);

test('The page is written in one step, and nothing is left beside it.', async () => {
  const place = await mkdtemp(join(folder, 'written-'));
  await Promise.all([1, 2, 3].map(() => writeReport(join(place, 'report.html'), sample)));
  expect(await readdir(place)).toEqual(['report.html']);
  const html = await readFile(join(place, 'report.html'), 'utf8');
  expect(html).not.toMatch(/(src|href)="(?!data:|#)/);
  expect(html.endsWith('</html>\n')).toBe(true);
  await expect(writeReport(join(place, 'no', 'report.html'), sample)).rejects.toThrow(/ENOENT/);
});

test('Embedded data reads back as it was, and holds no markup.', () => {
  const text = embedded({ evil });
  expect(text).not.toMatch(/[<>\u2028]/);
  expect(JSON.parse(text)).toEqual({ evil });
});

const traced: ReportData = {
  ...sample,
  files: [
    {
      path: 'a.js',
      original: 'x(1);\nend();\nx(1);\n',
      result: 'x(1);\n',
      origin: [{ start: 13, end: 19 }],
    },
  ],
  candidates: {
    texts: ['x(1);\nend();\nx(1);\n'],
    bases: { 0: { 'a.js': 0 } },
    rows: { 1: [0, { 'a.js': [0, 6, '</script>', 13, 19] }] },
  },
  made: {
    date: '2026-01-02T03:04:05Z',
    node: 'v22.1.0',
    system: 'linux 6 x64',
    processor: '2 × Fast',
    memory: '8 GiB',
  },
  versions: { culprit: '0.1.0' },
  called: 'culprit reduce a.js -- node {}',
  printed: 'Error: ``` boom',
};

inChromium('Of two equal lines the one that was kept is marked, in the colours of its language.', () =>
  show(traced, {}, async page => {
    expect(await page.locator('.code.original mark').allTextContents()).toEqual(['x(1);']);
    expect(await page.locator('.code.original .row').nth(2).locator('mark').count()).toBe(1);
    expect(await page.locator('.code.original .c2').allTextContents()).toEqual(['1', '1']);
  }),
);

inChromium('A row shows what was tested, and says so if that was not stored.', () =>
  show(traced, {}, async page => {
    const steps = page.locator('#transcript .step');
    await steps.first().focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('tr.candidate del').allTextContents()).toEqual(['end();\n']);
    expect(await page.locator('tr.candidate ins').allTextContents()).toEqual(['</script>']);
    await steps.first().click();
    expect(await page.locator('tr.candidate').count()).toBe(0);
    await steps.nth(1).click();
    expect(await page.locator('tr.candidate').textContent()).toMatch(/not stored|could not be built/);
  }),
);

inChromium('The bug report has input, command, output and versions, and no fence is too short.', () =>
  show(traced, {}, async page => {
    await page.evaluate(`navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }`);
    await page.getByRole('button', { name: 'Copy bug report' }).click();
    const text = await page.evaluate<string>('window.copied');
    expect(text).toContain('```js\nx(1);\n```');
    expect(text).toContain('./render --print bugzilla.reduced.html');
    expect(text).toContain('````\nError: ``` boom\n````');
    for (const version of ['culprit 0.1.0', 'Node.js v22.1.0', 'linux 6 x64', '2026-01-02'])
      expect(text).toContain(version);
  }),
);

inChromium('The result can be downloaded, byte for byte.', () =>
  show(
    {
      ...traced,
      files: [{ path: 'a.bin', original: Uint8Array.of(1, 255, 2), result: Uint8Array.of(255, 2), origin: 'unknown' }],
    },
    {},
    async page => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download result' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('a.reduced.bin');
      expect([...(await readFile(await download.path()))]).toEqual([255, 2]);
    },
  ),
);

inChromium('What each pass removed adds up to what was removed.', () =>
  show(traced, {}, async page => {
    const removed = await page.locator('#gains tbody tr:not(.none) td:nth-child(2)').allTextContents();
    const sum = removed.reduce((total, text) => total + Number(text.replaceAll(',', '')), 0);
    expect(sum).toBe(original.length - result.length);
  }),
);

inChromium('The pass under the cursor is named, also by keyboard.', () =>
  show(traced, {}, async page => {
    await page.locator('#plot .canvas').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('#plot output').textContent()).toMatch(/^\S.* · test \d/);
  }),
);

inChromium('A result that is a sentence comes first, without a number of deltas above it.', () =>
  show({ ...sample, ended: { ...sample.ended!, sentence: 'Fails when a runs before b.' } }, {}, async page => {
    expect(await page.locator('#summary .sentence').textContent()).toContain('Fails when a runs before b.');
    expect(await page.locator('#summary .figure').count()).toBe(0);
  }),
);

inChromium('The answer to what is to blame comes first, with a patch to copy, and nothing in it becomes markup.', () =>
  show(
    {
      ...sample,
      answer: {
        places: [{ where: `lib/x.js:1 ${evil}`, code: `-old\n+${evil}` }],
        commits: [evil],
        patches: [{ name: 'culprit.patch', text: '--- a\n+++ b\n', effect: 'makes v1 fail' }],
      },
    },
    {},
    async page => {
      const parts = await page.locator('#summary > *').evaluateAll(all => all.map(one => one.className));
      expect(parts.slice(0, 3)).toEqual(['kicker', 'answer', 'proof']);
      expect(await page.locator('#summary .figure').count()).toBe(0);
      expect(await page.locator('#answer .plus').count()).toBe(1);
      expect(await page.evaluate('window.evil')).toBeUndefined();
    },
  ),
);

inChromium('The smallest revert is shown before the cause, each with its own patch.', () => {
  const patch = (name: string) => ({ name, text: '--- a\n+++ b\n', effect: 'does something' });
  const answer = {
    revert: [{ where: 'lib/x.js:7', code: '+undo\n' }],
    places: [{ where: 'lib/x.js:5–9', code: '+all\n+of it\n' }],
    needed: ['lib/y.js:1'],
    patches: [patch('revert.patch'), patch('culprit.patch')],
  };
  return show({ ...sample, answer }, {}, async page => {
    const text = (await page.locator('#answer').textContent())!;
    const order = ['Smallest revert', 'lib/x.js:7', 'revert.patch', 'The cause', 'lib/x.js:5–9', 'culprit.patch'];
    const places = [...order, 'lib/y.js:1'].map(each => text.indexOf(each));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBe(0);
  });
});

inChromium('A cause that is too large is a sentence behind the revert, with its patch.', () => {
  const patch = (name: string) => ({ name, text: '--- a\n+++ b\n', effect: 'does something' });
  const answer = {
    revert: [{ where: 'lib/x.js:7', code: '+undo\n' }],
    cause: 'The cause could not be narrowed: 4,393 lines in 27 files, see culprit.patch.',
    places: [],
    patches: [patch('revert.patch'), patch('culprit.patch')],
  };
  return show({ ...sample, answer }, {}, async page => {
    const text = (await page.locator('#answer').textContent())!;
    const places = ['Smallest revert', 'revert.patch', 'The cause', 'in 27 files', 'culprit.patchdoes'].map(each =>
      text.replaceAll(/\s/g, '').indexOf(each.replaceAll(/\s/g, '')),
    );
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });
});

inChromium('A search that was stopped begins with the likeliest places and why they are.', () => {
  const suspects = [{ score: '8.3', where: 'lib/x.js -1,2 +1,3', reason: 'the test runs it' }];
  return show({ ...sample, answer: { places: [], suspects } }, {}, async page => {
    expect(await page.locator('#answer tbody td').allTextContents()).toEqual(Object.values(suspects[0]!));
  });
});

inChromium(
  'The hunks of a file are one diff, each with its shade and the reason; only the file with the culprit is open.',
  () =>
    show(
      {
        ...sample,
        tree: [
          {
            label: 'lib/x.js',
            status: 'culprit',
            children: [
              { label: 'lib/x.js -1,1 +1,1', status: 'innocent', code: '-a\n+b\n' },
              { label: 'lib/x.js -4,1 +4,1', status: 'culprit', detail: 'the test runs it', code: '-c\n+d\n' },
            ],
          },
          {
            label: 'lib/y.js',
            status: 'set aside',
            children: [{ label: 'lib/y.js -1,0 +1,1', status: 'set aside', code: '+e' }],
          },
        ],
      },
      {},
      async page => {
        const visible = page.locator('#changes .hunk:visible');
        expect(await visible.evaluateAll(all => all.map(one => one.getAttribute('data-status')))).toEqual([
          'innocent',
          'culprit',
        ]);
        expect(await visible.nth(1).locator('figcaption').textContent()).toBe('culprit-4,1 +4,1the test runs it');
        const shades = await page.evaluate<string[]>(
          "[...document.querySelectorAll('#changes .hunk pre')].map(one => getComputedStyle(one).backgroundColor)",
        );
        expect(shades[0]).not.toBe(shades[1]);
      },
    ),
);
