import type { DecisionFact } from '../../../domain/import/facts.ts';
import { OUTCOMES } from '../../../domain/outcome.ts';
import { takenOut } from '../embedded.ts';
import { sectionsIn } from '../markdown.ts';
import { isObject } from '../values.ts';
import { namesIn } from './fields.ts';

/** The fields of a record that Precedent exported (I-5), word for word. */
export type OwnRecord = Partial<DecisionFact> & Pick<DecisionFact, 'at'> & { id: string };

/** Reads a record that Precedent exported. @returns undefined for any other */
export function ownRecord(values: Record<string, unknown>, body: string): OwnRecord | undefined {
  const own = values.precedent;
  if (!isObject(own)) return undefined;
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
    ...(own.based_on !== undefined && { basedOn: namesIn(own.based_on) }),
    ...(typeof own.tidies === 'string' && { tidies: own.tidies }),
    reasoning: context === undefined ? null : takenOut(context),
    evidence: grounds.map(({ heading, body: ground }) => ({
      text: takenOut(ground),
      at: moment(heading) ?? at,
    })),
    outcome: outcomes.at(-1),
    earlierOutcomes: outcomes.slice(0, -1),
    ...(isObject(own.withdrawn) && {
      withdrawn: {
        ...(typeof own.withdrawn.id === 'string' && { id: own.withdrawn.id }),
        at: moment(own.withdrawn.at) ?? at,
        reason: String(own.withdrawn.reason ?? ''),
        ...(typeof own.withdrawn.tidies === 'string' && { tidies: own.withdrawn.tidies }),
      },
    }),
    author: typeof own.author === 'string' ? own.author : undefined,
    ...(typeof values.topic === 'string' ? { topic: values.topic } : { isNameless: true }),
    isOwn: true,
  };
}

function outcomeOf(value: unknown): NonNullable<DecisionFact['outcome']>[] {
  if (!isObject(value)) return [];
  const outcome = OUTCOMES.find((each) => each === value.outcome);
  const at = moment(value.at);
  if (outcome === undefined || at === undefined) return [];
  return [{ outcome, reason: typeof value.reason === 'string' ? value.reason : null, at }];
}

function moment(value: unknown): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
