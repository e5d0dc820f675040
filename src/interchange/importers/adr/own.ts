import type { DecisionFact } from '../../../domain/import/facts.ts';
import { OUTCOMES } from '../../../domain/outcome.ts';
import { takenOut } from '../embedded.ts';
import { sectionsIn } from '../markdown.ts';

/** The fields of a record that Precedent exported (I-5), word for word. */
export interface OwnRecord
  extends Pick<
    DecisionFact,
    'id' | 'at' | 'text' | 'reasoning' | 'evidence' | 'outcome' | 'earlierOutcomes' | 'withdrawn'
  > {
  author: string | undefined;
  topic: string | undefined;
}

type Values = Record<string, unknown>;

/** Reads a record that Precedent exported. @returns undefined for any other */
export function ownRecord(values: Values, body: string): OwnRecord | undefined {
  const own = values.precedent;
  if (!isMap(own)) return undefined;
  const { sections } = sectionsIn(body);
  const under = (heading: string) => sections.find((each) => each.heading === heading)?.body;
  const text = under('Decision Outcome');
  const at = moment(own.at);
  if (typeof own.id !== 'string' || text === undefined || at === undefined) return undefined;
  const grounds = sectionsIn(under('Evidence') ?? '', 3).sections;
  const context = under('Context and Problem Statement');
  const outcomes = (Array.isArray(own.outcomes) ? own.outcomes : []).flatMap(outcomeOf);
  return {
    id: own.id,
    at,
    text: takenOut(text),
    reasoning: context === undefined ? null : takenOut(context),
    evidence: grounds.map(({ heading, body: ground }) => ({
      text: takenOut(ground),
      at: moment(heading) ?? at,
    })),
    outcome: outcomes.at(-1),
    earlierOutcomes: outcomes.slice(0, -1),
    withdrawn: isMap(own.withdrawn)
      ? { at: moment(own.withdrawn.at) ?? at, reason: String(own.withdrawn.reason ?? '') }
      : undefined,
    author: typeof own.author === 'string' ? own.author : undefined,
    topic: typeof values.topic === 'string' ? values.topic : undefined,
  };
}

function outcomeOf(value: unknown): NonNullable<DecisionFact['outcome']>[] {
  if (!isMap(value)) return [];
  const outcome = OUTCOMES.find((each) => each === value.outcome);
  const at = moment(value.at);
  if (outcome === undefined || at === undefined) return [];
  return [{ outcome, reason: typeof value.reason === 'string' ? value.reason : null, at }];
}

const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function moment(value: unknown): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
