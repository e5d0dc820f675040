import { ATTRIBUTES, type Attribute, FIELDS } from '../decision.ts';
import { USUAL_TYPE } from '../observation.ts';
import { MOST_PLACES, patternsIn, placesFrom, problemOfPlaces } from '../place.ts';
import { canonical, sha256 } from '../text/digest.ts';
import { mapTexts } from '../text/json.ts';
import { countedForms, maskDeep, type Tell } from '../text/masking.ts';
import { isDay, LATEST } from '../text/moment.ts';
import { redactDeep } from '../text/redaction.ts';
import { withLineFeeds } from '../text/storable.ts';
import { cutSequences } from '../text/terminal.ts';
import { countCharacters, firstOf, LIMITS, normalizeName } from '../text/text.ts';
import type { AnyFact, CheckpointFact, DecisionFact, Facts, ObservationFact } from './facts.ts';

/** The replacement for a NUL of a source: no database holds one. */
const NUL = '\u2400';
/** Digits of a hash that tell two long names apart that begin alike. */
const DIGITS = 8;
/** How many observations a warning names, and how many characters of each title. */
const MOST_TITLES = 3;
const LONGEST_TITLE = 60;
/**
 * Cleans the facts of a reader as `receive` cleans an input (D-16, K-7, Z-9): private parts are
 * redacted, secrets masked, terminal sequences cut, NUL and halves of characters replaced, and times cut to whole
 * milliseconds. The record has the beginning of a text that is too long, and the whole text is kept with it; a
 * name that is too long ends with a hash.
 * @param options `keepsSecrets`: a person wants them as they are
 */
export function cleanFacts(facts: Facts, { keepsSecrets = false }: { keepsSecrets?: boolean } = {}): Facts {
  const masked: string[] = [];
  const tell: Tell = (name) => masked.push(name);
  const clean = <Fact extends AnyFact>(fact: Fact) => cleaned(fact, keepsSecrets ? undefined : tell);
  const arrived = {
    source: facts.source,
    decisions: facts.decisions.map(({ isOwn, ...fact }) =>
      decision(cleaned(fact, keepsSecrets || isOwn ? undefined : tell)),
    ),
    observations: facts.observations.map((fact) => observation(clean(fact))),
    checkpoints: facts.checkpoints.map((fact) => checkpoint(clean(fact))),
    relations: facts.relations.map((fact) => {
      const { type, ...cleaned } = clean(fact);
      // As it is written: any type is valid.
      const isFit = type.trim() !== '' && countCharacters(type) <= LIMITS.kind;
      const kind = isFit ? type : name(type, LIMITS.kind) || 'related';
      return fitted({ ...cleaned, type: kind }, { note: LIMITS.note });
    }),
    // Texts that are shown and not stored are masked silently.
    ...(facts.read && { read: cleanTexts(facts.read, () => {}) }),
    skipped: cleanTexts(facts.skipped, () => {}),
  };
  const masking = masked.length > 0 ? [`Masked, and not stored: ${countedForms(masked)}.`] : [];
  return {
    ...arrived,
    warnings: [...cleanTexts([...facts.warnings, ...warningsOf(facts)], () => {}), ...masking],
  };
}

/** Kept texts that a search would not find. */
function warningsOf({ observations }: Facts): string[] {
  const long = observations.filter(({ content }) => isLong(content, LIMITS.content));
  const titles = long.map(({ title }) => `"${begun(title, LONGEST_TITLE)}"`);
  return long.length === 0
    ? []
    : [
        `Expected observations of at most ${LIMITS.content} characters, found longer ones: ${firstOf(titles, MOST_TITLES)}. The record of each holds its first part; the whole text is kept with its source, and is not searched.`,
      ];
}

/** The hash that tells whether a fact changed since it came last: SHA-256 of all that it says. */
export function hashOfFact(whole: AnyFact): string {
  // The place of a record is no part of its content.
  const { isUndated, of, formerKeys, otherTopics, ...fact } = whole as DecisionFact;
  const { at: _, updatedAt: __, ...undated } = fact;
  return sha256(canonical(isUndated ? undated : fact));
}

function decision(fact: DecisionFact): DecisionFact {
  const topic = name(fact.topic, LIMITS.topic) || 'untitled';
  const { outcome, withdrawn } = fact;
  const whole = filled(fact.text, topic);
  const grounds = (fact.evidence ?? []).filter(({ text }) => text.trim() !== '');
  // Readers may look for words of the whole text: it is its first ground.
  if (isLong(whole, LIMITS.decision)) grounds.unshift({ text: whole, at: fact.at });
  const long = grounds.filter(({ text }) => isLong(text, LIMITS.evidence)).map(({ text }) => text);
  const reason = outcome?.reason ?? null;
  return fitted(
    {
      ...fact,
      topic,
      ...(fact.otherTopics && { otherTopics: fact.otherTopics.map((each) => name(each, LIMITS.topic)) }),
      ...Object.fromEntries(ATTRIBUTES.map((field) => [field, attribute(field, fact[field])])),
      text: whole,
      reasoning: fact.reasoning?.trim() ? fact.reasoning : null,
      ...(outcome && { outcome: withReason(outcome) }),
      ...(fact.earlierOutcomes && { earlierOutcomes: fact.earlierOutcomes.map(withReason) }),
      ...(withdrawn && { withdrawn: { ...withdrawn, reason: begun(withdrawn.reason, LIMITS.reasoning) } }),
      evidence: grounds.map(({ text, at }) => ({ text: begun(text, LIMITS.evidence), at })),
      rest: {
        ...fact.rest,
        ...(long.length > 0 && { evidence: long }),
        ...(isLong(reason, LIMITS.outcomeReason) && { outcomeReason: reason }),
      },
    },
    WORDS,
  );
}

/** How long the texts of a decision may be. */
const WORDS = Object.fromEntries(
  Object.entries(FIELDS).flatMap(([field, of]) => (of.kind === 'words' ? [[field, of.limit]] : [])),
);

/** A field of a decision as it may be here; undefined where the source has none that could be. */
function attribute(field: Attribute, value: unknown): unknown {
  const of = FIELDS[field];
  switch (of.kind) {
    case 'words':
      return typeof value === 'string' && value.trim() !== '' ? value : undefined;
    case 'name':
      return typeof value === 'string' ? name(value, of.limit) || undefined : undefined;
    case 'choice':
      return of.of.find((each) => each === value);
    case 'number':
      return typeof value === 'number' ? Math.min(of.most, Math.max(of.least, value)) : undefined;
    case 'day':
      return isDay(value) ? value : undefined;
    case 'places':
      return typeof value === 'string' ? placesKept(value) : undefined;
  }
}

/** The places of a source, without those that could be none here. */
function placesKept(value: string): string | undefined {
  const kept = patternsIn(placesFrom(value)).filter((each) => problemOfPlaces(each) === undefined);
  return kept.slice(0, MOST_PLACES).join('\n') || undefined;
}

function withReason<Entry extends { reason: string | null }>(entry: Entry): Entry {
  const { reason } = entry;
  return { ...entry, reason: reason === null ? null : begun(reason, LIMITS.outcomeReason) };
}

function observation(fact: ObservationFact): ObservationFact {
  const title = filled(fact.title, firstLine(fact.content));
  const kind = (type: string) => name(type, LIMITS.kind) || USUAL_TYPE;
  return fitted(
    {
      ...fact,
      title,
      content: filled(fact.content, title),
      type: kind(fact.type),
      project: fact.project === null ? null : name(fact.project, LIMITS.scope) || null,
      scope: name(fact.scope, LIMITS.scope) || 'project',
      topicKey: fact.topicKey === null ? null : name(fact.topicKey, LIMITS.topic) || null,
      revisions: (fact.revisions ?? []).map((each) => ({
        ...each,
        title: begun(filled(each.title, firstLine(each.content)), LIMITS.title),
        content: filled(each.content, title),
        type: kind(each.type),
      })),
    },
    { title: LIMITS.title, content: LIMITS.content },
  );
}

function checkpoint(fact: CheckpointFact): CheckpointFact {
  const files = fact.openFiles.filter((file) => file.trim() !== '');
  const isFit = files.length <= LIMITS.openFiles && !files.some((file) => isLong(file, LIMITS.openFile));
  const openFiles = files.slice(0, LIMITS.openFiles).map((file) => begun(file, LIMITS.openFile));
  const rest = { ...fact.rest, ...(!isFit && { openFiles: files }) };
  return fitted(
    { ...fact, summary: filled(fact.summary, '–'), openFiles, rest },
    { summary: LIMITS.summary, nextSteps: LIMITS.nextSteps },
  );
}

function isLong(text: string | null | undefined, limit: number): boolean {
  return typeof text === 'string' && countCharacters(text) > limit;
}

/** The beginning of a text that is too long, which says that it is one. */
export function begun(text: string, limit: number): string {
  return isLong(text, limit) ? `${[...text].slice(0, limit - 1).join('')}…` : text;
}

/** Texts that are too long are kept whole with the record. */
function fitted<Fact extends AnyFact>(fact: Fact, limits: Partial<Record<keyof Fact, number>>): Fact {
  const limited = Object.entries(limits) as [keyof Fact & string, number][];
  const long = limited.filter(([field, limit]) => isLong(fact[field] as string | null, limit));
  if (long.length === 0) return fact;
  const short = Object.fromEntries(long.map(([field, limit]) => [field, begun(String(fact[field]), limit)]));
  const whole = Object.fromEntries(long.map(([field]) => [field, fact[field]]));
  return { ...fact, ...short, rest: { ...fact.rest, ...whole } };
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

/** Fields of facts that are times: some tools keep them more closely than in whole milliseconds. */
const TIMES = new Set(['at', 'updatedAt', 'lastSeenAt', 'deletedAt', 'replacedAt']);

/**
 * A fact whose times are in whole milliseconds, and none that nothing can follow; the extra fields of its record stay as they
 * are.
 */
function timed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(timed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, each]) => {
      if (typeof each === 'number')
        return [field, TIMES.has(field) ? Math.min(LATEST, Math.floor(each)) : each];
      return [field, field === 'rest' ? each : timed(each)];
    }),
  );
}

/** The key of a row, there and here, stays as it is. @param tell left out: no secret is masked */
function cleaned<Fact extends AnyFact>(whole: Fact, tell: Tell | undefined): Fact {
  const { key, of, formerKeys, from, to, links, id, evidence, ...rest } = timed(whole) as AnyFact &
    Record<string, unknown>;
  const known = Object.fromEntries(
    Object.entries({ key, of, formerKeys, from, to, links, id }).filter(([, value]) => value !== undefined),
  );
  // Evidence keeps its line ends.
  const grounds = evidence === undefined ? {} : { evidence: hidden(mapTexts(evidence, storable), tell) };
  return { ...cleanTexts(rest, tell), ...grounds, ...known } as unknown as Fact;
}

function cleanTexts<Value>(value: Value, tell: Tell | undefined): Value {
  return hidden(
    mapTexts(value, (text) => withLineFeeds(storable(text))),
    tell,
  ) as Value;
}

/** Private parts are taken out. */
function hidden(value: unknown, tell: Tell | undefined): unknown {
  const redacted = redactDeep(value);
  return tell ? maskDeep(redacted, tell) : redacted;
}

function storable(text: string): string {
  return cutSequences(text.replaceAll('\0', NUL).toWellFormed()).text;
}
