import { append } from '../../domain/append.ts';
import { behind, type Decision, GLOBAL_SCOPE } from '../../domain/decision.ts';
import { conflict, invalid, notFound, type PrecedentError } from '../../domain/error.ts';
import { findName } from '../names.ts';
import type { Tx } from '../tx.ts';
import { reviseDecision } from './chain.ts';
import { activeOfScope, newestInChain } from './decision.ts';
import type { Naming } from './overriding.ts';
import { redirectAll, scopeMeant, scopeToUse } from './topic.ts';

/**
 * Lets a topic lead to the chain of another one (D-19). The active version of its own chain is withdrawn, with the reason; that
 * chain keeps its history.
 * @returns the newest version of the chain that it leads to, and the version that withdrew the active one, if anything did
 * @param naming needed where an axis or a lock is overridden (D-20, T-6)
 * @throws PrecedentError `not_found`; `conflict` when both lead to the same chain already; also as `requireMeant`
 */
export async function joinTopics(
  tx: Tx,
  topic: string,
  into: string,
  { replaces, reasoning }: Naming,
): Promise<{ decision: Decision; withdrawn: Decision | undefined; warnings: string[] }> {
  const from = await requireTopic(tx, topic);
  const to = await requireTopic(tx, into);
  if (from.target === to.target) throw isJoined('topic', topic, to.name);
  const current = await newestInChain(tx, from.target);
  const withdrawal = current.isActive
    ? await reviseDecision(
        tx,
        current.id,
        {
          withdrawn: true,
          reasoning:
            reasoning ?? reasonFor(current, `Its topic "${from.name}" was joined with "${to.name}".`),
        },
        [],
        { replaces, isJoin: true },
      )
    : undefined;
  await redirectAll(tx, 'topics', from.target, to.target);
  return {
    decision: await newestInChain(tx, to.target),
    withdrawn: withdrawal?.decision,
    warnings: withdrawal?.warnings ?? [],
  };
}

/**
 * Gives a scope another name, which then leads to it (D-19). Every active decision in it gets a next version there.
 * @param isJoin whether the name may be in use: then both scopes become one
 * @returns the scope that it leads to, and how many decisions were taken there
 * @param naming needed where axes or locks are overridden (D-20, T-6): it names each lock
 * @throws PrecedentError `not_found` when nothing was saved in it; `conflict` when both are the same scope, or the other is
 *   in use and this is no join; also as `requireMeant`
 */
export async function renameScope(
  tx: Tx,
  scope: string,
  name: string,
  isJoin: boolean,
  { replaces, reasoning }: Naming,
): Promise<{ scope: string; decisions: number; warnings: string[] }> {
  const from = (await findName(tx, 'scopes', scope))?.target;
  if (from === undefined)
    throw notFound.no_name(`Expected a scope, found "${scope}", in which nothing was saved.`);
  if (from === GLOBAL_SCOPE)
    throw invalid.not_applicable(
      `Expected a scope that can be renamed, found "${GLOBAL_SCOPE}", which binds everywhere. Join the other one into it, or revise its decisions one by one.`,
    );
  const known = await scopeMeant(tx, name);
  if (from === known) throw isJoined('scope', scope, from);
  if (!isJoin && (known === GLOBAL_SCOPE || (await findName(tx, 'scopes', name))))
    throw conflict.name_taken(
      `Expected a scope that is not in use, found "${known}". To make both one scope, rename with join. Nothing was changed.`,
    );
  const to = await scopeToUse(tx, name);
  const current = await activeOfScope(tx, from);
  const warnings: string[] = [];
  for (const decision of current) {
    // Undefined where nobody gave a reason: what binds needs one (D-20). A move between scopes puts it behind by itself.
    const why =
      reasoning && to === GLOBAL_SCOPE
        ? (behind(decision.reasoning, 'Moved', reasoning) ?? undefined)
        : reasoning;
    const moved = await reviseDecision(tx, decision.id, { scope: to, reasoning: why }, [], { replaces });
    append(warnings, moved.warnings);
  }
  await redirectAll(tx, 'scopes', from, to);
  return { scope: to, decisions: current.length, warnings };
}

/** A normal decision needs no reason of anybody's; what binds does (D-20), and its refusal says so. */
function reasonFor({ strength }: Decision, otherwise: string): string | undefined {
  return strength === 'normal' ? otherwise : undefined;
}

async function requireTopic(tx: Tx, topic: string): Promise<{ name: string; target: string }> {
  const found = await findName(tx, 'topics', topic);
  if (found) return found;
  throw notFound.no_name(`Expected a topic, found "${topic}", which no decision has.`);
}

function isJoined(what: string, name: string, to: string): PrecedentError {
  return conflict.already_so(
    `Expected two different ${what}s, found that "${name}" leads to "${to}" already. Nothing was changed.`,
  );
}
