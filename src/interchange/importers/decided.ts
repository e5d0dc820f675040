import { ATTRIBUTES } from '../../domain/decision.ts';
import type { DecisionFact, Facts, ObservationFact, RelationFact } from '../../domain/import/facts.ts';
import { decisionIn } from './adr/decision-text.ts';
import { nameOf, stateOf } from './adr/words.ts';
import { chainsOf, endReplaced } from './chains.ts';
import { takenOut } from './embedded.ts';
import { sectionsIn } from './markdown.ts';
import { attributesIn, counted, named } from './values.ts';

/** How sure somebody was of what a source calls a draft or a proposal. */
export const TENTATIVE = 0.3;
/** How sources call what was decided. */
const DECISION = /^(decision|adr|결정)$/i;
/** `- [decision] what was decided #tag`, as basic-memory writes it. */
const SAID = /^\s*[-*]\s+\[(?:decision|결정)\]\s+(.+)$/im;
/** What a link between two notes is between two decisions. */
const LINKS: Record<string, 'builds_on' | 'debates' | 'synthesizes'> = {
  builds_on: 'builds_on',
  depends_on: 'builds_on',
  extends: 'builds_on',
  refines: 'builds_on',
  contradicts: 'debates',
  debates: 'debates',
  synthesizes: 'synthesizes',
};
/** What of a decision is kept with a note, by our own names. */
const OURS = ['topic', ...ATTRIBUTES] as string[];
const OF_OKF = /^precedent_/;

/**
 * Makes decisions of the observations that their source calls so (`--decisions`): what replaced what is one chain, under the
 * name of its oldest. Links between two of them become links of decisions; every other one is kept with the record.
 */
export function lifted(facts: Facts): Facts {
  const chosen = facts.observations.filter(isCalledDecision);
  const byKey = new Map(chosen.map((fact) => [fact.key, fact]));
  const inside = facts.relations.filter(({ from, to }) => byKey.has(from) && byKey.has(to));
  const pairs = inside.flatMap(({ type, from, to }): [ObservationFact, ObservationFact][] => {
    const [one, other] = [byKey.get(from), byKey.get(to)] as [ObservationFact, ObservationFact];
    if (one === other || !/^supersede[sd]/i.test(type)) return [];
    return [/^superseded/i.test(type) ? [other, one] : [one, other]];
  });
  const { chains, across } = chainsOf(chosen, pairs, (a, b) => a.at - b.at);
  const decisions = new Map(
    chains.flatMap((chain) =>
      chain.map((fact) => [
        fact,
        decision(fact, topicOf(chain[0] as ObservationFact), fact === chain.at(-1)),
      ]),
    ),
  );
  for (const { from, to, type } of inside) {
    const name = type.toLowerCase().replace(/[ -]/g, '_');
    const relationship = Object.hasOwn(LINKS, name) ? LINKS[name] : undefined;
    const fact = decisions.get(byKey.get(from) as ObservationFact);
    if (!fact || !relationship || from === to) continue;
    fact.links ??= [];
    fact.links.push({ relationship, to });
  }
  endReplaced(decisions, across);
  const isKept = ({ from, to }: RelationFact) => !byKey.has(from) && !byKey.has(to);
  const keptWith = Map.groupBy(
    facts.relations.filter((each) => !isKept(each)),
    ({ from }) => from,
  );
  return {
    ...facts,
    decisions: [...facts.decisions, ...[...decisions.values()].map((fact) => withLinks(fact, keptWith))],
    observations: facts.observations
      .filter(({ key }) => !byKey.has(key))
      .map((fact) => withLinks(fact, keptWith)),
    relations: facts.relations.filter(isKept),
  };
}

/** What a person is shown who may not know that some of it could come as decisions. */
export function couldBeDecisions({ observations }: Facts): string[] {
  const count = observations.filter(isCalledDecision).length;
  return count === 0 ? [] : [`--decisions would make decisions of ${counted(count, 'observation')}.`];
}

const isCalledDecision = ({ type, deletedAt }: ObservationFact) =>
  DECISION.test(type) && deletedAt === undefined;

function topicOf({ topicKey, title, content, project, rest }: ObservationFact): string {
  const called = title.trim() || content.trim().split('\n')[0] || '';
  return named(ours(rest, 'topic')) ?? topicKey ?? (project === null ? called : `${project}:${called}`);
}

function decision(fact: ObservationFact, topic: string, isLast: boolean): DecisionFact {
  const { key, at, updatedAt, isUndated, author, session, title, content, project, rest = {} } = fact;
  const state = named(rest.status) ?? '';
  return {
    key,
    at,
    updatedAt,
    ...(isUndated && { isUndated }),
    author,
    session,
    topic,
    text: exportedText(fact) ?? textOf(title, decidedIn(content), content),
    reasoning: content.trim() === '' ? null : content.trim(),
    ...(project !== null && { scope: project }),
    ...(stateOf(state) === 'tentative' && { confidence: TENTATIVE }),
    ...attributesIn((name) => ours(rest, name)),
    withdrawn:
      isLast && ['ended', 'replaced'].includes(stateOf(state) ?? '')
        ? { reason: state, at: updatedAt ?? at }
        : undefined,
    rest: Object.fromEntries(
      Object.entries(rest).filter(([name]) => !OURS.includes(name.replace(OF_OKF, ''))),
    ),
  };
}

/** What a note says under one of our names, also as an export to OKF writes them. */
const ours = (rest: ObservationFact['rest'], name: string) => rest?.[name] ?? rest?.[`precedent_${name}`];

/** What was decided, in a note that was exported from here: between its title and its first section. */
function exportedText({ content, rest }: ObservationFact): string | undefined {
  if (ours(rest, 'versions') === undefined || ours(rest, 'id') === undefined) return undefined;
  return takenOut(sectionsIn(content).top.replace(/^# .*$/m, '')) || undefined;
}

/** The title, and what was decided where it says more. */
function textOf(title: string, said: string | undefined, content: string): string {
  const called = title.trim() || content.trim().split('\n')[0] || '';
  return said === undefined || said.toLowerCase() === called.toLowerCase() ? called : `${called}: ${said}`;
}

/** What was decided, as its section or its line has it. */
function decidedIn(content: string): string | undefined {
  const section = sectionsIn(content).sections.find(({ heading }) => nameOf(heading) === 'decision');
  return decisionIn(section?.body ?? '').decision || SAID.exec(content)?.[1]?.trim();
}

/** A record with the links that are not relations here: between a decision and anything else. */
function withLinks<Fact extends DecisionFact | ObservationFact>(
  fact: Fact,
  keptWith: Map<string, RelationFact[]>,
): Fact {
  const links = keptWith
    .get(fact.key)
    ?.map(({ type, to, note }) => ({ type, to, ...(note !== null && { note }) }));
  return links === undefined ? fact : { ...fact, rest: { ...fact.rest, links } };
}
