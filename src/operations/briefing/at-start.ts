import { GLOBAL_SCOPE } from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import { patternsIn } from '../../domain/place.ts';
import { newestCheckpoint } from '../../store/decisions/checkpoint.ts';
import { countDue, findDecisions } from '../../store/decisions/decision.ts';
import { failedSince } from '../../store/decisions/outcome.ts';
import { type Rule, rulesHere, topicsDecided } from '../../store/decisions/rules.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { checkpointLine, decisionLines, type Fact, nameOf } from './line.ts';

/** How long failures and a checkpoint are news, in milliseconds. */
const LATELY = 14 * 24 * 3_600_000;
/** Rules, failures and topics that are read at most: a line of each takes 12, 25 and 4 of the 800 tokens at least. */
const MOST = { rules: 64, failures: 24, topics: 120 };

/** Failures that are counted at most. */
const COUNTED = 500;

/** What the last sessions of an agent were about, and what is known of the repository's files. */
export interface Lately {
  /** Files that they changed. */
  paths: string[];
  /** Ids of decisions that they were shown. */
  ids: string[];
  /** Patterns that cover a large part of the repository: a rule with one speaks at the start, not at each file (RE-3). */
  wide: string[];
}

/** An axis or a lock as a start shows it. */
export interface StartRule extends Fact {
  scope: string;
  /** Whether it holds everywhere. */
  everywhere: boolean;
  /** Whether the last sessions were about it. */
  lately: boolean;
  /** Whether an agent is shown it with its files, too. */
  placed: boolean;
  /** Whether neither a person wrote it nor one reviewed it. */
  unreviewed: boolean;
}

/** What an agent is shown when its session starts (RE-1). */
export interface Start {
  /** In the order of retrieval (D-10), those of persons first. */
  rules: StartRule[];
  /** How many rules there are, by scope. */
  scopes: { scope: string; count: number }[];
  checkpoint: Fact | undefined;
  /** What failed lately, the newest first, and how much that is. */
  failed: Fact[];
  failures: number;
  /** The topics of the newest other decisions, and how many have one. */
  topics: string[];
  decided: number;
  /** How many decisions are due for review (V-5). */
  due: number;
}

/** What binds, where work was left and what failed in the last two weeks, and what else is decided. */
export async function atStart(tx: Tx, lately: Lately): Promise<Start> {
  const since = tx.now - LATELY;
  const [rules, failures, checkpoint, due, decided, about] = await together(
    rulesHere(tx),
    failedSince(tx, since, COUNTED),
    newestCheckpoint(tx),
    countDue(tx),
    topicsDecided(tx, MOST.topics),
    findDecisions(tx, lately.ids),
  );
  const chosen = await chooseRules(rules, lately, new Set(about.map(({ scope }) => scope)));
  const found = new Map((await findDecisions(tx, idsOf(chosen))).map((each) => [each.id, each]));
  const binding = chosen.flatMap((rule) => found.get(rule.id) ?? []);
  const known = new Set(idsOf(rules));
  const failed = failures.flatMap(({ decision }) => (known.has(decision.id) ? [] : [decision]));
  const unreviewed = new Set(idsOf(chosen.filter((rule) => rule.unreviewed)));
  const shown = [...binding, ...failed.slice(0, MOST.failures)];
  const lines = await decisionLines(tx, shown, { as: 'start', unreviewed });
  const lineOf = new Map(lines.map((fact) => [fact.id, fact]));
  const scopes = Map.groupBy(rules, ({ scope }) => scope);
  return {
    rules: chosen.flatMap((rule) => {
      const { scope, everywhere, lately, placed, unreviewed } = rule;
      const fact = lineOf.get(rule.id);
      return fact ? { ...fact, scope: nameOf(scope), everywhere, lately, placed, unreviewed } : [];
    }),
    scopes: [...scopes].map(([scope, { length: count }]) => ({ scope: nameOf(scope), count })),
    failed: failed.flatMap(({ id }) => lineOf.get(id) ?? []),
    failures: failed.length,
    topics: decided.topics.map(nameOf),
    decided: decided.count,
    due,
    checkpoint: checkpoint && checkpoint.createdAt >= since ? checkpointLine(checkpoint) : undefined,
  };
}

type Placed = Rule & Ranked;

/** The rules that a start has room for: those of persons before others, of each those that nothing else brings to mind. */
async function chooseRules(
  rules: Rule[],
  { paths, wide }: Lately,
  scopes: ReadonlySet<string>,
): Promise<Placed[]> {
  const isWide = new Set(wide);
  const namedBy =
    paths.length === 0 ? () => [] : (await import('../../domain/place-match.ts')).namedAmong(paths);
  const all = rules.map((rule): Placed => {
    const patterns = patternsIn(rule.files);
    const everywhere = rule.scope === GLOBAL_SCOPE || patterns.some((each) => isWide.has(each));
    const lately = scopes.has(rule.scope) || patterns.some((each) => namedBy(each).length > 0);
    return { ...rule, everywhere, lately, placed: patterns.some((each) => !isWide.has(each)) };
  });
  const order = all.length > MOST.rules ? byNeed : byPerson;
  return all.sort(order).slice(0, MOST.rules);
}

type Ranked = Pick<StartRule, 'everywhere' | 'lately' | 'placed' | 'unreviewed'>;
/** By whose word they are (RE-1). */
const byPerson = (a: Ranked, b: Ranked): number => Number(a.unreviewed) - Number(b.unreviewed);
/** Where not all have room. */
export const byNeed = (a: Ranked, b: Ranked): number =>
  byPerson(a, b) ||
  Number(a.placed) - Number(b.placed) ||
  Number(b.everywhere || b.lately) - Number(a.everywhere || a.lately);
