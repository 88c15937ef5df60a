import { expect, test } from 'vitest';
import { actionsOf, nameOf } from '../../../src/circumstances/actions.js';
import { all, deltasOf, of, UserError } from '../../../src/core/index.js';
import { playwrightScript } from '../../../src/sources/recording/playwright-script.js';
import { readPlaywrightTest } from '../../../src/sources/recording/playwright-source.js';
import { joinPresses, splitClicks } from '../../../src/sources/recording/presses.js';
import { checkRecording, type Recording, readRecording } from '../../../src/sources/recording/recording.js';

/** As DevTools exports one: nested selectors, offsets, asserted events. */
const exported: Recording = readRecording(
  JSON.stringify({
    title: 'Order',
    steps: [
      {
        type: 'setViewport',
        width: 800,
        height: 600,
        deviceScaleFactor: 1,
        isMobile: false,
        hasTouch: false,
        isLandscape: true,
      },
      {
        type: 'navigate',
        url: 'https://shop.example/',
        assertedEvents: [{ type: 'navigation', url: 'https://shop.example/', title: '' }],
      },
      {
        type: 'click',
        target: 'main',
        selectors: [['aria/Add'], ['#add'], ['xpath///*[@id="add"]'], ['pierce/#add'], ['text/Add']],
        offsetX: 3,
        offsetY: 4,
      },
      { type: 'doubleClick', target: 'main', selectors: [['#more']], offsetX: 1, offsetY: 1 },
      { type: 'change', value: 'two', selectors: [['#count']], target: 'main' },
      {
        type: 'keyDown',
        target: 'main',
        key: 'Enter',
        assertedEvents: [{ type: 'navigation', url: 'https://shop.example/done' }],
      },
      { type: 'keyUp', target: 'main', key: 'Enter' },
      { type: 'scroll', x: 0, y: 200 },
      { type: 'waitForElement', selectors: ['.done'] },
    ],
  }),
);

const errorOf = (act: () => unknown): UserError => {
  try {
    act();
  } catch (error) {
    return error as UserError;
  }
  throw new Error('nothing was thrown');
};

test('a click is two actions and a double click four; what opens the page is none', () => {
  const actions = actionsOf(exported);
  expect(actions.count).toBe(2 + 4 + 1 + 2 + 1 + 1);
  expect(actions.build(of([]))!.steps.map(step => step.type)).toEqual(['setViewport', 'navigate']);
  expect([...deltasOf(all(3))].map(delta => actions.describe!(delta))).toEqual([
    'press mouse button 1 on “Add”',
    'release mouse button 1',
    'press mouse button 1 on #more',
  ]);
});

test('all actions applied and folded again is the recording that was read', () => {
  const actions = actionsOf(exported);
  expect(joinPresses(actions.build(all(actions.count))!)).toEqual(exported);
  expect(splitClicks(splitClicks(exported))).toEqual(splitClicks(exported));
});

test('a press whose release is gone stays a press, and half a double click becomes a click', () => {
  const actions = actionsOf(exported);
  const types = (deltas: number[]) =>
    joinPresses(actions.build(of(deltas))!)
      .steps.slice(2)
      .map(step => ('name' in step ? step.name : step.type));
  expect(types([0])).toEqual(['culprit:mouseDown']);
  expect(types([1, 3])).toEqual(['culprit:mouseUp', 'culprit:mouseUp']);
  expect(types([4, 5])).toEqual(['click']);
});

test('a key names the modifiers that it carries', () => {
  const recording = checkRecording({
    title: '',
    steps: [
      { type: 'navigate', url: 'x.html' },
      { type: 'keyDown', key: 'p', modifiers: ['Alt'] },
    ],
  });
  expect(actionsOf(recording).describe!(0)).toBe('press the P key while Alt is held');
});

test('what is not a recording is refused in a sentence that says where to get one', () => {
  for (const [text, said] of [
    ['{', /is not JSON/],
    ['[]', /no list of "steps"/],
    ['{"log": {"entries": []}}', /no list of "steps"/],
    ['{"steps": [{"type": "click", "selectors": ["a"]}]}', /never opens a page/],
  ] as const) {
    const error = errorOf(() => readRecording(text, 'a.json'));
    expect(error).toBeInstanceOf(UserError);
    expect(error.exitCode).toBe(2);
    expect(error.message).toMatch(said);
  }
});

test('a step that is unknown or incomplete is named by its number', () => {
  const withStep = (step: object) =>
    errorOf(() => checkRecording({ steps: [{ type: 'navigate', url: 'x' }, step] }, 'a.json')).message;
  expect(withStep({ type: 'teleport' })).toMatch(/^step 2 of a\.json has the type "teleport"/);
  expect(withStep({ type: 'click' })).toMatch(/^step 2 of a\.json \(click\): selectors is missing, expected a list/);
  expect(withStep({ type: 'customStep', name: 'other:thing', parameters: {} })).toMatch(
    /customStep named "other:thing"/,
  );
  expect(withStep({ type: 'keyDown', key: 7 })).toMatch(/key is 7, expected a text/);
});

test('a Playwright test that is a list of steps is read as a recording', async () => {
  const recording = await readPlaywrightTest(
    `import { test, expect } from '@playwright/test';
     test('orders two', async ({ page }) => {
       await page.setViewportSize({ width: 800, height: 600 });
       await page.goto('https://shop.example/');
       const add = page.getByRole('button', { name: 'Add' });
       await add.click({ button: 'right', modifiers: ['Shift'], position: { x: 1, y: 2 } });
       await page.locator('#row').locator('.count').fill('2');
       await page.getByTestId('unit').selectOption('kg');
       await page.getByText('Terms').hover();
       await page.keyboard.press('Alt+p');
       await page.keyboard.down('Shift');
       await page.check('#agree');
       await page.waitForTimeout(500);
       await expect(page.locator('.sum')).toHaveText('2');
     });`,
    'order.spec.ts',
  );
  expect(recording.title).toBe('orders two');
  expect(recording.steps.slice(1)).toEqual([
    { type: 'navigate', url: 'https://shop.example/' },
    {
      type: 'click',
      selectors: [['aria/Add[role="button"]']],
      button: 'secondary',
      modifiers: ['Shift'],
      offsetX: 1,
      offsetY: 2,
    },
    { type: 'change', selectors: [['#row .count']], value: '2' },
    { type: 'change', selectors: [['[data-testid="unit"]']], value: 'kg' },
    { type: 'hover', selectors: [['text/Terms']] },
    { type: 'keyDown', key: 'Alt' },
    { type: 'keyDown', key: 'p', modifiers: ['Alt'] },
    { type: 'keyUp', key: 'p', modifiers: ['Alt'] },
    { type: 'keyUp', key: 'Alt' },
    { type: 'keyDown', key: 'Shift' },
    { type: 'click', selectors: [['#agree']] },
  ]);
});

test('steps of a Playwright test that are not a list are refused, not read as one', async () => {
  const within = (body: string) => `test('x', async ({ page }) => {\n  await page.goto('x.html');\n  ${body}\n});\n`;
  const read = (text: string) => readPlaywrightTest(text, 'x.spec.ts');
  await expect(read(within("for (const a of [1, 2]) await page.click('#a');"))).rejects.toThrow(
    /line 3: steps in a loop/,
  );
  await expect(read(within("if (late) { await page.click('#a'); }"))).rejects.toThrow(/under a condition/);
  expect((await read(within('if (late) console.log(1);'))).steps).toHaveLength(1);
  const stepped = await read(within("await test.step('pay', async () => { await page.click('#pay'); });"));
  expect(stepped.steps.at(-1)).toMatchObject({ type: 'click', selectors: [['#pay']] });
});

test('of several Playwright tests in a file, the one that is meant has to be marked', async () => {
  const one = (how: string, id: string) =>
    `test${how}('${id}', async ({ page }) => { await page.goto('x.html'); await page.click('#${id}'); });\n`;
  const read = (text: string) => readPlaywrightTest(text, 'x.spec.ts');
  await expect(read(one('', 'a') + one('', 'b'))).rejects.toThrow(/has 2 tests \(“a”, “b”\)/);
  const expected = { title: 'b', steps: [{ url: 'x.html' }, { selectors: [['#b']] }] };
  expect(await read(one('', 'a') + one('.only', 'b'))).toMatchObject(expected);
  expect(await read(one('.skip', 'a') + one('', 'b'))).toMatchObject(expected);
});

test('the script of a request that fails sees one without an answer too', () => {
  const script = playwrightScript(checkRecording({ steps: [{ type: 'navigate', url: 'https://x.example/' }] }), {
    failure: { kind: 'request', text: '' },
  });
  expect(script).toContain("page.on('requestfailed'");
  expect(script.indexOf('waitForTimeout')).toBeGreaterThan(script.indexOf('goto'));
});

test('a script with an expectation is read back as the recording that it was made from', async () => {
  const recording = checkRecording({
    steps: [
      { type: 'navigate', url: 'https://x.example/' },
      { type: 'click', selectors: [['#a']], offsetX: 1, offsetY: 2 },
    ],
  });
  const script = playwrightScript(recording, { failure: { kind: 'exception', text: '' } });
  const { steps } = checkRecording(JSON.parse(JSON.stringify(await readPlaywrightTest(script, 'x.spec.ts'))));
  expect(steps.map(({ type }) => type)).toEqual(['navigate', 'click']);
});

test('a step of a Playwright test that is no user action is named with its line', async () => {
  const text = `test('x', async ({ page }) => {\n  await page.goto('x.html');\n  await page.locator('a').filter({ has: page.locator('b') }).click();\n});`;
  await expect(readPlaywrightTest(text, 'x.spec.ts')).rejects.toThrow(/x\.spec\.ts, line 3: .*filter\(/);
  await expect(readPlaywrightTest('const x = 1;', 'x.ts')).rejects.toThrow(/has no steps/);
});

test('locators inside others, and those that choose among several, are read, described and written again', async () => {
  const lines = [
    "await page.goto('http://x.test/');",
    "await page.getByRole('listitem').filter({ hasText: 'beta' }).getByRole('button', { name: 'Remove' }).click();",
    "await page.locator('table tr').nth(2).locator('td.name').click();",
    "await page.getByRole('dialog').getByLabel('Name').fill('x');",
    "await page.getByRole('button', { name: 'Edit' }).last().click();",
    "await page.getByRole('button', { name: 'Edit' }).nth(0).click();",
  ];
  const recording = await readPlaywrightTest(`test('x', async ({ page }) => {\n${lines.join('\n')}\n});`, 'x.spec.ts');
  const [, ...places] = recording.steps.map(step => ('selectors' in step ? step.selectors : undefined));
  expect(places).toEqual([
    [['aria/[role="listitem"]', 'culprit:has-text/beta', 'aria/Remove[role="button"]']],
    [['table tr', 'culprit:nth/2', 'td.name']],
    [['aria/[role="dialog"]', 'aria/Name']],
    [['aria/Edit[role="button"]', 'culprit:nth/-1']],
    [['aria/Edit[role="button"]']],
  ]);
  expect(places.map(selectors => nameOf(selectors!))).toEqual([
    '“Remove” in listitem with “beta”',
    'td.name in table tr (number 3)',
    '“Name” in dialog',
    '“Edit” (the last)',
    '“Edit”',
  ]);
  const script = playwrightScript(recording);
  for (const line of [
    "getByRole('listitem').filter({ hasText: 'beta' }).getByRole('button', { name: 'Remove', exact: true }).click()",
    "locator('table tr').nth(2).locator('td.name').click()",
    "getByRole('dialog').getByLabel('Name').fill('x')",
    "getByRole('button', { name: 'Edit', exact: true }).last().click()",
  ])
    expect(script).toContain(line);
  expect((await readPlaywrightTest(script, 'x.spec.js')).steps).toEqual(recording.steps);
});
