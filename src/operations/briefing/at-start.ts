import { type Decision, GLOBAL_SCOPE } from '../../domain/decision.ts';
import { newestCheckpoint } from '../../store/decisions/checkpoint.ts';
import { bindingAnywhere, bindingIn, countDue, decidedAndDue } from '../../store/decisions/decision.ts';
import { importedAmong, NOT_REVIEWED } from '../../store/decisions/imported.ts';
import { failedSince } from '../../store/decisions/outcome.ts';
import { newestRecord } from '../../store/record.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { checkpointLine, decisionLines, type Fact, nameOf } from './line.ts';

/** How long failures and a checkpoint are news, in milliseconds. */
const LATELY = 14 * 24 * 3_600_000;
/** Of each kind at most: a line takes at least 25 tokens of the 400. */
const MOST = 12;
/** A start names so many axes and locks of scopes at most. */
const NAMED = 60;

/** What an agent is shown when its session starts (A-2, D-18). */
export interface Start {
  /** False in a memory that holds no decision. */
  isDecided: boolean;
  binding: Fact[];
  /** Names of the axes and locks of scopes: whoever reads them sees which ones the work touches. */
  others: string[];
  failed: Fact[];
  checkpoint: Fact | undefined;
  /** How many decisions are due for review (V-5). */
  due: number;
  /** The number of the newest record: what comes after it is new to the session. */
  newest: number;
}

/** What binds everywhere, what failed in the last two weeks, and where work was left if that is not longer ago. */
export async function atStart(tx: Tx): Promise<Start> {
  const since = tx.now - LATELY;
  const [binding, anywhere, failures, checkpoint, { isDecided, isAnyDue }, newest] = await together(
    bindingIn(tx, GLOBAL_SCOPE, MOST),
    bindingAnywhere(tx, NAMED),
    failedSince(tx, since, MOST),
    newestCheckpoint(tx),
    decidedAndDue(tx),
    newestRecord(tx),
  );
  // Without a topic, what was saved twice in the same words is shown once.
  const identityOf = ({ id, topic, strength, outcome, text }: Decision) =>
    topic === null ? `${strength} ${outcome} ${text}` : id;
  const rules = [...new Map(binding.map((rule) => [identityOf(rule), rule])).values()];
  const failed = failures.filter(({ decision }) => rules.every(({ id }) => id !== decision.id));
  const imported = await importedAmong(
    tx,
    anywhere.map(({ id }) => id),
  );
  const lines = await decisionLines(tx, [...rules, ...failed.map(({ decision }) => decision)]);
  return {
    isDecided,
    binding: lines.slice(0, rules.length),
    others: [
      ...new Set(
        anywhere.flatMap(({ id, scope, topic }) =>
          scope === GLOBAL_SCOPE || topic === null
            ? []
            : `${nameOf(topic)}${imported.has(id) ? ` (${NOT_REVIEWED})` : ''}`,
        ),
      ),
    ],
    failed: lines.slice(rules.length),
    newest,
    due: isAnyDue ? await countDue(tx) : 0,
    checkpoint: checkpoint && checkpoint.createdAt >= since ? checkpointLine(checkpoint) : undefined,
  };
}
