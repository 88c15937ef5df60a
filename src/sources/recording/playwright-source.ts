/** Reads a Playwright test as a recording. */
import { basename } from 'node:path';
import type * as TypeScript from 'typescript';
import { UserError } from '../../core/index.js';
import { addAll } from '../../core/lists.js';
import { cssOf, elementSteps, ignored, keyboardSteps, mouseSteps, selectorsOf } from './playwright-steps.js';
import { checkRecording, type Recording, type Selectors, type Step } from './recording.js';

/**
 * A Playwright test that is a list of steps, read as a recording. Expectations are left out (the failure is specified in
 * another way); a step that can't be read is reported with its line, not skipped. A loop or a condition is not followed, so
 * steps in one are refused too; of several tests in a file, the one marked `test.only` is read.
 */
export async function readPlaywrightTest(text: string, name = 'the test', folder = '.'): Promise<Recording> {
  const { default: ts } = await import('typescript');
  const file = ts.createSourceFile(
    name,
    text,
    ts.ScriptTarget.Latest,
    true,
    /\.[cm]?jsx?$/.test(name) ? ts.ScriptKind.JS : ts.ScriptKind.TS,
  );
  const steps: Step[] = [];
  let title = basename(name);
  const named = new Map<string, TypeScript.Expression>();
  const line = (node: TypeScript.Node) => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  const unreadable = (node: TypeScript.Node): UserError =>
    new UserError(
      `${name}, line ${line(node)}: this step can't be read as a user action: ${node.getText(file).split('\n')[0]}`,
      'Steps such as page.goto, click, fill, press, selectOption, check, hover and keyboard.down can be read. Write it as one of those, or remove it.',
    );

  /** `test('name', …)`, `test.only(…)`, `test.skip(…)`: its name, and which of them it is. */
  const testOf = (node: TypeScript.Node): { title: string; how: string } | undefined => {
    if (!ts.isCallExpression(node)) return undefined;
    const how = /^(?:test|it)(?:\.(only|skip|fixme))?$/.exec(node.expression.getText(file));
    const [first, ...rest] = node.arguments;
    if (!how || !first || !ts.isStringLiteralLike(first) || rest.length === 0) return undefined;
    return { title: first.text, how: how[1] ?? '' };
  };

  /** A file may contain many tests; a recording is one. */
  const chosen = (): string => {
    const tests: { title: string; how: string }[] = [];
    const collect = (node: TypeScript.Node): void => {
      const found = testOf(node);
      if (found && !/skip|fixme/.test(found.how)) tests.push(found);
      ts.forEachChild(node, collect);
    };
    collect(file);
    const only = tests.filter(each => each.how === 'only');
    const candidates = only.length > 0 ? only : tests;
    if (candidates.length > 1)
      throw new UserError(
        `${name} has ${candidates.length} tests (${candidates.map(each => `“${each.title}”`).join(', ')}), and a recording is one of them.`,
        'Mark the one to use with test.only, or put it into its own file.',
      );
    return candidates[0]?.title ?? title;
  };

  const isBranching = (node: TypeScript.Node): boolean =>
    ts.isIterationStatement(node, false) ||
    ts.isIfStatement(node) ||
    ts.isSwitchStatement(node) ||
    ts.isTryStatement(node) ||
    ts.isConditionalExpression(node);

  const visit = (node: TypeScript.Node): void => {
    const found = testOf(node);
    if (found && (found.title !== title || /skip|fixme/.test(found.how))) return;
    if (isBranching(node) && holdsAwait(node))
      throw new UserError(
        `${name}, line ${line(node)}: steps in a loop or under a condition can't be read: ${node.getText(file).split('\n')[0]}`,
        'Write them one after the other, as they happen.',
      );
    if (
      ts.isVariableDeclaration(node) &&
      ts.isIdentifier(node.name) &&
      node.initializer &&
      !ts.isAwaitExpression(node.initializer)
    )
      named.set(node.name.text, node.initializer);
    if (ts.isAwaitExpression(node) && ts.isCallExpression(node.expression)) {
      if (node.expression.expression.getText(file) === 'test.step') ts.forEachChild(node.expression, visit);
      else readCall(node.expression);
    } else ts.forEachChild(node, visit);
  };

  const holdsAwait = (node: TypeScript.Node): boolean =>
    ts.isAwaitExpression(node) || ts.forEachChild(node, child => holdsAwait(child) || undefined) === true;

  /** `a.b(x).c(y)` as the name it begins with and its calls in order; variables are replaced by their values. */
  const chainOf = (
    node: TypeScript.Expression,
  ): { root: string; calls: { name: string; args: readonly unknown[]; node: TypeScript.Node }[] } => {
    if (ts.isIdentifier(node)) {
      const known = named.get(node.text);
      return known ? chainOf(known) : { root: node.text, calls: [] };
    }
    if (ts.isPropertyAccessExpression(node)) {
      const { root, calls } = chainOf(node.expression);
      return { root: `${root}${calls.length === 0 ? `.${node.name.text}` : ''}`, calls };
    }
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { root, calls } = chainOf(node.expression.expression);
      return {
        root,
        calls: [...calls, { name: node.expression.name.text, args: node.arguments.map(constantOf), node }],
      };
    }
    if (ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node)) return chainOf(node.expression);
    return { root: node.getText(file), calls: [] };
  };

  const constantOf = (node: TypeScript.Expression): unknown => {
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isNumericLiteral(node)) return Number(node.text);
    if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
    if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
    if (ts.isArrayLiteralExpression(node)) return node.elements.map(constantOf);
    if (ts.isIdentifier(node) && named.has(node.text)) return constantOf(named.get(node.text)!);
    if (ts.isObjectLiteralExpression(node))
      return Object.fromEntries(
        node.properties
          .filter(ts.isPropertyAssignment)
          .map(each => [each.name.getText(file), constantOf(each.initializer)]),
      );
    return undefined;
  };

  const readCall = (node: TypeScript.CallExpression): void => {
    const { root, calls } = chainOf(node);
    if (!/^page(\.keyboard|\.mouse)?$/.test(root)) {
      if (/^(expect|test)\b/.test(node.getText(file))) return;
      throw unreadable(node);
    }
    const last = calls.at(-1)!;
    const strings = last.args.filter((arg): arg is string => typeof arg === 'string');
    if (root !== 'page') {
      const made = root === 'page.keyboard' ? keyboardSteps(last.name, last.args) : mouseSteps(last.name, last.args);
      if (!made) throw unreadable(node);
      addAll(steps, made);
      return;
    }
    const direct = calls.length === 1;
    if (direct && ignored.has(last.name)) return;
    if (direct && last.name === 'goto') return void steps.push({ type: 'navigate', url: strings[0] ?? '' });
    if (direct && last.name === 'setViewportSize') {
      const { width, height } = last.args[0] as { width: number; height: number };
      return void steps.push({
        type: 'setViewport',
        width,
        height,
        deviceScaleFactor: 1,
        isMobile: false,
        hasTouch: false,
        isLandscape: width >= height,
      });
    }
    if (direct && last.name === 'close') return void steps.push({ type: 'close' });
    const place = direct ? [cssOf(strings[0] ?? '')] : selectorsOf(calls.slice(0, -1));
    if (!place?.every(Boolean)) throw unreadable(node);
    const call = { name: last.name, args: direct ? last.args.slice(1) : last.args };
    const made = elementSteps(call, place as Selectors, steps.at(-1), folder);
    if (!made) throw unreadable(node);
    addAll(steps, made);
  };

  title = chosen();
  visit(file);
  if (steps.length === 0)
    throw new UserError(
      `${name} has no steps: no \`await page.…\` was found in it.`,
      'Give a Playwright test that is a list of steps, or a recording.',
    );
  return checkRecording({ title, steps }, name);
}
