import { byNeed, type Start, type StartRule } from '../../operations/briefing/at-start.ts';
import type { Hearing } from '../hearing.ts';
import { type Context, LIMITS, Page, withWhy } from '../page.ts';

/** Shows rules, late failures and where work was left (RE-1). A new context has forgotten what was shown before. */
export async function onStart(hearing: Hearing): Promise<void> {
  const { briefing, cwd, sessions, session, memory } = hearing;
  const { layoutOf } = await import('../layout.ts');
  const layout = await layoutOf(cwd, (of) => sessions?.layout(session, of, memory), briefing.patterns);
  const lately = sessions?.lately(session, memory) ?? { paths: [], ids: [] };
  const context = startContext(await briefing.atStart({ ...lately, wide: layout?.wide ?? [] }));
  await hearing.say(() => ({
    ...context,
    whenShown: { started: context.shown },
    always: { said: {}, started: [], ...(layout && { layout }) },
  }));
  sessions?.sweep();
}

const TOOLS =
  'Memory of why (MCP precedent): recall at the start of a task, mama_search before deciding, mama_save once settled, mama_update with how it went.';
/** V-5: only a person can look at them again. */
const dueNow = (count: number) =>
  `Decisions due for review: ${count}. Tell the user: "precedent review" shows them.`;
/** Tokens of a checkpoint, of why something failed, and of the beginning of a reason. */
const MOST = { checkpoint: 60, failed: 30, reason: 18 };
/** Tokens of the line that counts what is left out, and scopes that it names. */
const NOTE = 60;
const SCOPES = 4;

function startContext(start: Start): Context {
  const own = start.due > 0 ? [TOOLS, dueNow(start.due)] : [TOOLS];
  const count = start.scopes.reduce((sum, each) => sum + each.count, 0);
  const page = new Page(LIMITS.start, own);
  const hasAll = page.add(start.rules).length === 0 && start.rules.length === count;
  if (hasAll && addOthers(page, start) === 0) return page.context;
  const some = new Page(LIMITS.start, own, NOTE);
  // Where not all rules have room, those come first that nothing else brings to mind.
  const rules = hasAll ? start.rules : start.rules.toSorted(byNeed);
  const left = new Set(some.add(rules));
  const failures = addOthers(some, start);
  const shown = start.rules.filter((rule) => !left.has(rule));
  some.release().say(notShown(start, shown, failures));
  return some.context;
}

/** Adds what comes after the rules. @returns how many failures have no room */
function addOthers(page: Page, { checkpoint, failed, failures, topics, decided }: Start): number {
  if (checkpoint) page.add([checkpoint], MOST.checkpoint);
  const lines = failed.map(({ why, line, ...fact }) => ({ ...fact, line: withWhy(line, why, MOST.failed) }));
  const left = page.add(lines);
  page.reasons(MOST.reason);
  page.names('- also decided: ', topics, decided);
  return failures - (failed.length - left.length);
}

/** Counts what is left out, by scope, with a call that every agent has. */
function notShown({ scopes }: Start, shown: StartRule[], failures: number): string {
  const counts = scopes
    .map(({ scope, count }) => ({
      scope,
      count: count - shown.filter((rule) => rule.scope === scope).length,
    }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  const total = (of: typeof counts) => of.reduce((sum, { count }) => sum + count, 0);
  const others = total(counts.slice(SCOPES));
  const by = [
    ...counts.slice(0, SCOPES).map(({ scope, count }) => `${scope} ${count}`),
    ...(others > 0 ? [`${others} in other scopes`] : []),
  ].join(', ');
  const rules = total(counts);
  const parts = [
    ...(rules > 0 ? [`${rules} more ${rules === 1 ? 'rule' : 'rules'} (${by})`] : []),
    ...(failures > 0 ? [`${failures} more ${failures === 1 ? 'failure' : 'failures'}`] : []),
  ];
  return `Not shown here: ${parts.join(', ')}. recall brings those that your task touches.`;
}
