import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { isTooDeep, TOO_DEEP } from '../../files/depth.ts';
import { checked, type End, Unreadable } from './format.ts';
import { isGroup, type Path, type Value, valueAt } from './value.ts';

const LENIENT = { allowTrailingComma: true };

/** JSON, with comments and trailing commas where the file has them. */
export const json = checked({ read, put, take, endIn, putEnd });

function read(text: string): Record<string, unknown> {
  rootOf(text);
  return parse(wholeOf(text), [], LENIENT);
}

/** An empty file is an empty object. */
const wholeOf = (text: string) => (text.trim() === '' ? '{}\n' : text);

function rootOf(text: string): Node {
  if (isTooDeep(text, 'json')) throw new Unreadable(TOO_DEEP);
  const errors: ParseError[] = [];
  const root = parseTree(wholeOf(text), errors, LENIENT);
  const [error] = errors;
  if (error) {
    const line = text.slice(0, error.offset).split('\n').length;
    throw new Unreadable(`line ${line} is not JSON (${printParseErrorCode(error.error)})`);
  }
  if (root?.type !== 'object') throw new Unreadable('it is not a JSON object');
  return root;
}

function put(written: string, path: Path, value: Value): string {
  const text = wholeOf(written);
  const root = rootOf(text);
  const present = findNodeAtLocation(root, [...path]);
  if (present) {
    const indent = indentAt(text, present.offset);
    return splice(text, present.offset, present.length, printed(text, root, value, indent));
  }
  // The deepest group that is there takes the rest of the path as one value.
  const depth = path.findIndex((_, at) => valueAt(getNodeValue(root), path.slice(0, at + 1)) === undefined);
  const container = depth === 0 ? root : findNodeAtLocation(root, path.slice(0, depth));
  const key = path[depth];
  if (container?.type !== (typeof key === 'number' ? 'array' : 'object'))
    throw new Unreadable(
      `expected a ${typeof key === 'number' ? 'list' : 'group'} in ${path.slice(0, depth).join('.')}`,
    );
  const inner = path.slice(depth + 1).reduceRight<Value>((wrapped, each) => {
    return typeof each === 'number' ? [wrapped] : { [each]: wrapped };
  }, value);
  return insert(text, root, container, typeof key === 'number' ? undefined : key, inner);
}

/** Adds a member after all others, and after their comments. */
function insert(text: string, root: Node, container: Node, key: string | undefined, value: Value): string {
  const start = container.offset + 1;
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
  const isSpread =
    text.slice(start, close).includes('\n') || (!last && (container === root || isTall(text, root)));
  if (!isSpread) {
    const compact = text.slice(start, close).includes(', ') ? ' ' : '';
    const item = `${name.trimEnd()}${compact}${JSON.stringify(value)}`;
    if (!last) return splice(text, start, 0, item);
    const comma = commaBehind(text, endOf(last), close);
    return comma === undefined
      ? splice(text, endOf(last), 0, `,${compact}${item}`)
      : splice(text, comma + 1, 0, `${compact}${item},`);
  }
  const eol = eolOf(text);
  const outer = indentAt(text, container.offset);
  const isOwnLine = last && text.slice(start, last.offset).includes('\n');
  const indent = isOwnLine ? indentAt(text, last.offset) : outer + unitOf(text, root);
  const item = `${eol}${indent}${name}${printed(text, root, value, indent)}`;
  const from = last ? endOf(last) : start;
  const rest = text.slice(from, close);
  const at = from + rest.trimEnd().length;
  // A brace that shares its line with what was before goes to a line of its own.
  const tail = rest.slice(rest.trimEnd().length).includes('\n') ? '' : `${eol}${outer}`;
  const blank = tail === '' ? 0 : close - at;
  if (!last) return splice(text, at, blank, item + tail);
  const comma = commaBehind(text, from, close);
  if (comma !== undefined) return splice(text, at, blank, `${item},${tail}`);
  return splice(splice(text, at, blank, item + tail), from, 0, ',');
}

/** Undoes {@link insert}, and takes any other member: with the comma that it needs, and without a comment. */
function take(text: string, path: Path): string {
  const root = rootOf(text);
  const found = findNodeAtLocation(root, [...path]);
  const node = found?.parent?.type === 'property' ? found.parent : found;
  const container = node?.parent;
  if (!node || !container) return text;
  const children = container.children ?? [];
  const at = children.indexOf(node);
  const before = children[at - 1];
  const close = container.offset + container.length - 1;
  const comma = commaBehind(text, endOf(node), children[at + 1]?.offset ?? close);
  const end = comma === undefined ? endOf(node) : comma + 1;
  const bound = before ? endOf(before) : container.offset + 1;
  const blank = text.slice(bound, node.offset).match(/\s*$/)?.[0] ?? '';
  const isLineFree = !blank.includes('\n') || /^\s*?\n/.test(text.slice(end));
  const start = isLineFree ? node.offset - blank.length : node.offset;
  if (children.length === 1 && `${text.slice(bound, start)}${text.slice(end, close)}`.trim() === '')
    return splice(text, bound, close - bound, '');
  const taken = splice(text, start, end - start, '');
  const needless = before && comma === undefined ? commaBehind(text, bound, node.offset) : undefined;
  return needless === undefined ? taken : splice(taken, needless, 1, '');
}

function endIn(text: string, path: Path): End | undefined {
  const node = text.trim() === '' ? undefined : findNodeAtLocation(rootOf(text), [...path]);
  const [blank] = (node && text.slice(node.offset + 1, endOf(node) - 1).match(/\s*$/)) ?? [];
  return blank === undefined ? undefined : { blank, members: node?.children?.length ?? 0 };
}

function putEnd(text: string, path: Path, { blank, members }: End): string {
  const node = findNodeAtLocation(rootOf(text), [...path]);
  const now = endIn(text, path);
  if (!node || now?.members !== members) return text;
  return splice(text, endOf(node) - 1 - now.blank.length, now.blank.length, blank);
}

/** Where the first comma is that is not part of a comment. */
function commaBehind(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text.slice(from, to), true);
  scanner.scan();
  const at = from + scanner.getTokenOffset();
  return at < to && text[at] === ',' ? at : undefined;
}

function printed(text: string, root: Node, value: Value, indent: string): string {
  if (!isGroup(value) && !Array.isArray(value)) return JSON.stringify(value);
  if (!isTall(text, root) && (root.children?.length ?? 0) > 0) return JSON.stringify(value);
  return JSON.stringify(value, null, unitOf(text, root)).replaceAll('\n', eolOf(text) + indent);
}

const endOf = ({ offset, length }: Node): number => offset + length;
const isTall = (text: string, root: Node): boolean => text.slice(root.offset, endOf(root)).includes('\n');
const eolOf = (text: string): string => (/\r\n/.test(text) ? '\r\n' : '\n');
const splice = (text: string, at: number, length: number, by: string): string =>
  text.slice(0, at) + by + text.slice(at + length);

/** The blanks at the start of the line. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return line.match(/^[ \t]*/)?.[0] ?? '';
}

/** By how much a level is further in, as the first member of the file shows. */
function unitOf(text: string, root: Node): string {
  const first = root.children?.[0];
  return (
    (first && text.slice(root.offset, first.offset).includes('\n') && indentAt(text, first.offset)) || '  '
  );
}
