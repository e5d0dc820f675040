import { sha256 } from '../text/digest.ts';
import { redactDeep } from '../text/redaction.ts';
import { withLineFeeds } from '../text/storable.ts';
import { cutSequences } from '../text/terminal.ts';
import { countCharacters, LIMITS, normalizeName } from '../text/text.ts';
import type { AnyFact, DecisionFact, Facts, ObservationFact } from './facts.ts';

/** What a NUL of a source becomes: no database holds one. */
const NUL = '\u2400';
/** Digits of a hash that tell two long names apart that begin alike. */
const DIGITS = 8;
/** The type of an observation whose source has none. */
const USUAL_TYPE = 'manual';

/**
 * Makes what a reader found fit to be kept, as the door does with what is said here (D-16, K-7): private parts are
 * redacted, terminal sequences cut, NUL and halves of characters replaced. Texts stay whole however long they are; a name
 * that is too long to be shown ends with a hash.
 */
export function arriving(facts: Facts): Facts {
  return {
    source: facts.source,
    decisions: facts.decisions.map((fact) => decision(clean(fact))),
    observations: facts.observations.map((fact) => observation(clean(fact))),
    checkpoints: facts.checkpoints.map((fact) => ({ ...clean(fact), summary: filled(fact.summary, '–') })),
    relations: facts.relations.map((fact) => {
      const { type, ...cleaned } = clean(fact);
      // As it is written: any type is valid.
      const isFit = type.trim() !== '' && countCharacters(type) <= LIMITS.kind;
      return { ...cleaned, type: isFit ? type : name(type, LIMITS.kind) || 'related' };
    }),
    skipped: cleanTexts(facts.skipped),
    warnings: cleanTexts(facts.warnings),
  };
}

/** By which a fact is compared with what it was when it came last: SHA-256 of all that it says. */
export function hashOfFact({ isUndated, ...fact }: AnyFact): string {
  const { at: _, updatedAt: __, ...undated } = fact;
  return sha256(canonical(isUndated ? undated : fact));
}

/** JSON whose keys are sorted and whose empty values are left out: equal for equal values. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

function decision(fact: DecisionFact): DecisionFact {
  const topic = name(fact.topic, LIMITS.topic) || 'untitled';
  return {
    ...fact,
    topic,
    ...(fact.scope !== undefined && { scope: name(fact.scope, LIMITS.scope) || topic }),
    text: filled(fact.text, topic),
    reasoning: fact.reasoning?.trim() ? fact.reasoning : null,
    confidence: Math.min(1, Math.max(0, fact.confidence)),
    evidence: (fact.evidence ?? []).filter(({ text }) => text.trim() !== ''),
  };
}

function observation(fact: ObservationFact): ObservationFact {
  const title = filled(fact.title, firstLine(fact.content));
  const content = filled(fact.content, title);
  return {
    ...fact,
    title,
    content,
    type: name(fact.type, LIMITS.kind) || USUAL_TYPE,
    project: fact.project === null ? null : name(fact.project, LIMITS.scope) || null,
    scope: name(fact.scope, LIMITS.scope) || 'project',
    topicKey: fact.topicKey === null ? null : name(fact.topicKey, LIMITS.topic) || null,
  };
}

const filled = (text: string, otherwise: string) => (text.trim() === '' ? otherwise : text);
const firstLine = (text: string) => text.trim().split('\n')[0] || 'untitled';

/** A name as every name is kept, and short enough to be one. */
function name(text: string, longest: number): string {
  const whole = normalizeName(text.replace(/\s+/g, ' '));
  if (countCharacters(whole) <= longest) return whole;
  const short = [...whole].slice(0, longest - DIGITS - 1).join('');
  return `${short.trim()}~${sha256(whole).slice(0, DIGITS)}`;
}

/** What a row is known by, there and here, stays as it is. */
function clean<Fact extends AnyFact>(fact: Fact): Fact {
  const { key, from, to, links, id, evidence, ...rest } = fact as AnyFact & Record<string, unknown>;
  const known = Object.fromEntries(
    Object.entries({ key, from, to, links, id }).filter(([, value]) => value !== undefined),
  );
  // Evidence keeps its line ends.
  const grounds = evidence === undefined ? {} : { evidence: redactDeep(mapTexts(evidence, storable)) };
  return { ...cleanTexts(rest), ...grounds, ...known } as unknown as Fact;
}

function cleanTexts<Value>(value: Value): Value {
  return redactDeep(mapTexts(value, (text) => withLineFeeds(storable(text)))) as Value;
}

function storable(text: string): string {
  return cutSequences(text.replaceAll('\0', NUL).toWellFormed()).text;
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [change(key), mapTexts(each, change)]),
  );
}
