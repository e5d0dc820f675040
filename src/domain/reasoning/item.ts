import { countCharacters, LIMITS } from '../text/text.ts';
import type { Words } from './reference.ts';
import { LINK } from './words.ts';

/** A reference, and where it is in the text with the signs around it. */
export interface Item extends Words {
  start: number;
  end: number;
}

/** The references after a relation word. */
export interface ReadList {
  items: Item[];
  /** Parts that cannot be read, each a sentence. */
  problems: string[];
  /** Where the list ends. */
  end: number;
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z-])';
/** A whole id. The front part of a longer word does not count: it may be the id of another decision. */
export const ID = `(?:decision_${UUID}|decision_\\w{1,191}(?!\\w|-\\w)|${UUID})`;
/** An id anywhere in a text. Of the imported form only one with a digit: `decision_maker` is a word. */
export const BARE_ID = `(?<![\\w-])(?:(?:decision_)?${UUID}|decision_\\w*\\d\\w*)`;
/** The beginning of an id: eight hexadecimal digits or more, but not those of a topic such as `deadbeef가:나`. */
const PREFIX = '[0-9a-f]{8}[0-9a-f-]{0,28}(?![0-9a-z_-]|\\p{Script=Hangul}*[:：]\\S)';
const OBSERVATION = '#\\d{1,15}(?![\\w-]|[:：]\\S)';

/** Signs that markdown and quotes put around a word. */
const MARKS = '*_"\'“”‘’';
/** Signs between which a topic may be any words. */
const OPENERS = '`「『〈《【';
const CLOSERS = '`」』〉》】';
export const SIGNS = `${MARKS}${OPENERS}${CLOSERS}`;
const BEFORE = `[(<{#${SIGNS}]*`;
const AFTER = `[)>}${SIGNS}]*`;

/** A character of a topic without signs around it. */
const CHARACTER = `[^\\s:：,;、，|()<>{}\\[\\]［］*"'“”‘’${OPENERS}${CLOSERS}]`;
/** No topic begins so: an address, a time, the next relation word. */
const NO_TOPIC = `(?![#_]|\\w{1,20}:\\/\\/|\\d+[:：]\\d|(?:${LINK})\\s*[:：])`;
/** `infra:cdn`. */
const TOPIC = `${NO_TOPIC}${CHARACTER}+(?:[:：]${CHARACTER}+)+`;
/** `INFRA: cdn`, with nothing after it but the next item. */
const SPACED_TOPIC = `${NO_TOPIC}${CHARACTER}+(?:[ \\t]{0,3}[:：][ \\t]{0,3}${CHARACTER}+)+(?=[ \\t]*(?:[,;、，\\n]|$))`;
/** Any words between backquotes or brackets; between quotes only with a colon. */
const ENCLOSED = [
  '`{1,2}(?<code>[^`\\n,;、，]+)`{1,2}',
  `[${OPENERS.slice(1)}](?<name>[^${CLOSERS}\\n]+)[${CLOSERS.slice(1)}]`,
  '\\[{1,2}(?<wiki>[^\\[\\]\\n]+)\\]{1,2}',
  `["“'‘](?<quote>[^"“”'‘’\\n,;:：]+[:：][^"“”'‘’\\n,;]+)["”'’]`,
].join('|');

const PATTERNS = {
  id: sticky(`(?<before>${BEFORE})(?<item>${ID})${AFTER}`),
  observation: sticky(`(?<before>[(<{${SIGNS}]*)(?<item>${OBSERVATION})${AFTER}`),
  prefix: sticky(`(?<before>${BEFORE})(?<item>${PREFIX})${AFTER}`),
  enclosed: sticky(`(?<before>[(<{${MARKS}]*)(?:${ENCLOSED})${AFTER}`),
  topic: sticky(`(?<before>${BEFORE})(?<item>${TOPIC})${AFTER}`),
  spaced: sticky(`(?<before>${BEFORE})(?<item>${SPACED_TOPIC})${AFTER}`),
};
/** Punctuation that ends a sentence, not a topic. */
const FULL_STOPS = /(?<![.!?…。！？_~])[.!?…。！？_~]+$/;
const WORDS = /[\p{L}\p{N}]/u;
const OPENER = new RegExp(`[${OPENERS}]`);

/**
 * The reference at a place of a text, with the signs around it: an id, the beginning of one, `#38`, or what
 * may be a topic.
 * @param spaced whether blanks may be around the colon of a topic
 */
export function readItem(text: string, at: number, spaced: boolean): Item | undefined {
  return (
    readAs('id', text, at) ??
    readAs('observation', text, at) ??
    readAs('prefix', text, at) ??
    readAs('enclosed', text, at) ??
    readAs('topic', text, at) ??
    (spaced ? readAs('spaced', text, at) : undefined)
  );
}

/** Whether a text can be a topic: it holds a letter or a digit, and is not too long for one. */
export function isTopicLike(text: string): boolean {
  return WORDS.test(text) && countCharacters(text) <= LIMITS.topic;
}

function readAs(kind: keyof typeof PATTERNS, text: string, at: number): Item | undefined {
  const made = PATTERNS[kind];
  made.lastIndex = at;
  const groups = made.exec(text)?.groups;
  if (!groups) return undefined;
  const { before = '', item, code, name, wiki, quote } = groups;
  const enclosed = code ?? name ?? wiki ?? quote;
  const inside = item ?? enclosed ?? '';
  const written = kind === 'id' ? inside : inside.trim().replace(FULL_STOPS, '');
  const mayBeTopic = enclosed !== undefined || /[:：]/.test(written) || OPENER.test(before);
  if (!isTopicLike(written)) return undefined;
  return { written, mayBeTopic, start: at, end: made.lastIndex };
}

/** A pattern that matches at its `lastIndex` alone. */
export function sticky(source: string): RegExp {
  return new RegExp(source, 'iuy');
}
