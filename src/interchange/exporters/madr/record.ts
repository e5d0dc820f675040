import { attributesOf } from '../../../domain/decision.ts';
import { RELATIONSHIPS, type Relationship, spoken } from '../../../domain/edge.ts';
import { patternsIn } from '../../../domain/place.ts';
import { iso } from '../../../domain/text/moment.ts';
import { capitalize } from '../../../domain/text/text.ts';
import type { VersionWhole } from '../../../store/export/versions.ts';
import { embedded, page } from '../markdown.ts';
import { titleOf } from '../names.ts';
import { numberOf } from './files.ts';

/** A version, and what is around it in its folder. */
export interface Placed {
  whole: VersionWhole;
  /** The topic of its chain; undefined where it has none. */
  topic: string | undefined;
  /**
   * Whether another record replaces it. Its file does not say which: two people who replace it apart write the same file,
   * so git merges what they did (Y-10), and the record that replaces it says so itself.
   */
  isReplaced: boolean;
  /** The ids of the versions of its chain that its author saw, and whether the one before it is not among them (Y-2). */
  seen: readonly string[] | undefined;
  isApart: boolean;
  /** Files of other records. */
  links: { kind: Relationship; file: string }[];
  /** The version that withdrew it: when, and why. */
  withdrawn: { id: string; at: number; reason: string; tidies?: string } | undefined;
  authors: boolean;
}

/** Lists of people and words that a folder of records came with. */
const PEOPLE = ['deciders', 'decision-makers', 'consulted', 'informed'];
const WORDS = ['tags', 'technical story'];
/** A state that says nothing of another record: all others follow from what is known here. */
const PLAIN = /^(?!.*(supers|supercede|replac|obsolet|amend|refin|clarif|relate|대체))/is;
const ENDED = /^(rejected|deprecated|withdrawn)$/i;

/**
 * A version as a record of MADR 4 (I-5). It has all that is needed to read it back: what people read where MADR has
 * a place for it, the rest in its front matter under `precedent`.
 */
export function recordOf(placed: Placed): string {
  const { whole, topic, links, withdrawn, seen, authors } = placed;
  const { decision, writer, evidence, rest } = whole;
  const author = authors && writer.author !== '' ? writer.author : undefined;
  const outcomes = whole.outcomes.map(({ outcome, reason, createdAt }) => ({
    outcome,
    ...(reason !== null && { reason }),
    at: iso(createdAt),
  }));
  const listed = (kind: string) => list(links.filter((link) => link.kind === kind).map(({ file }) => file));
  return page(
    {
      status: statusOf(placed),
      date: iso(decision.createdAt).slice(0, 10),
      ...kept(
        { ...(author !== undefined && { 'decision-makers': [author] }), ...rest },
        authors ? [...PEOPLE, ...WORDS] : WORDS,
      ),
      topic,
      ...Object.fromEntries(attributesOf(decision).filter(([name]) => name !== 'files')),
      affects: list(patternsIn(decision.files)),
      outcome: decision.outcome ?? undefined,
      ...Object.fromEntries(RELATIONSHIPS.map((kind) => [kind, listed(kind)])),
      precedent: {
        id: decision.id,
        at: iso(decision.createdAt),
        ...(author !== undefined && { author }),
        based_on: seen,
        ...(decision.tidies !== null && { tidies: decision.tidies }),
        ...(outcomes.length > 0 && { outcomes }),
        ...(withdrawn && { withdrawn: { ...withdrawn, at: iso(withdrawn.at) } }),
      },
    },
    [
      `# ${titleOf(decision.text)}`,
      decision.reasoning === null
        ? undefined
        : `## Context and Problem Statement\n\n${embedded(decision.reasoning)}`,
      `## Decision Outcome\n\n${embedded(decision.text)}`,
      evidence.length === 0 ? undefined : evidenceOf(evidence),
      moreOf(placed, outcomes),
    ],
  );
}

function statusOf({ isReplaced, withdrawn, whole: { rest } }: Placed): string {
  if (isReplaced) return 'superseded';
  const stated = typeof rest.status === 'string' && PLAIN.test(rest.status) ? rest.status : undefined;
  if (withdrawn) return stated !== undefined && ENDED.test(stated) ? stated : 'deprecated';
  return stated !== undefined && !ENDED.test(stated) ? stated : 'accepted';
}

/** One text counts once, as it does when it is read back. */
function evidenceOf(evidence: VersionWhole['evidence']): string {
  const once = [...new Map(evidence.map((each) => [each.content, each])).values()];
  const parts = once.map(({ content, timestamp }) => `### ${iso(timestamp)}\n\n${embedded(content)}`);
  return ['## Evidence', ...parts].join('\n\n');
}

/** The front matter for people: it is not read back. */
function moreOf(
  { links, isApart, withdrawn }: Placed,
  outcomes: { outcome: string; reason?: string; at: string }[],
): string | undefined {
  const lines = [
    ...(withdrawn === undefined ? [] : [`- Withdrawn: ${titleOf(withdrawn.reason)}`]),
    ...links.map(({ kind, file }) =>
      kind === 'supersedes' && isApart
        ? `- Decided twice: not based on ${linkTo(file)}`
        : `- ${capitalize(spoken(kind))} ${linkTo(file)}`,
    ),
    ...outcomes.map(
      ({ outcome, reason: why, at }) =>
        `- Outcome on ${at.slice(0, 10)}: ${outcome}${why ? `, ${titleOf(why)}` : ''}`,
    ),
  ];
  return lines.length === 0 ? undefined : `## More Information\n\n${lines.join('\n')}`;
}

const linkTo = (file: string) => `[ADR-${numberOf(file)}](${encodeURI(file)})`;
const list = (all: readonly string[]) => (all.length === 0 ? undefined : all);
const kept = (rest: Record<string, unknown>, names: string[]) =>
  Object.fromEntries(names.filter((name) => rest[name] !== undefined).map((name) => [name, rest[name]]));
