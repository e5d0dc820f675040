import { idsOf } from '../../domain/id.ts';
import { type PromptRead, readPrompt } from '../../domain/prompt/reading.ts';
import type { Briefing } from '../../memory/briefing.ts';
import type { Fact } from '../../operations/briefing/line.ts';
import type { Subagent, Task } from '../event.ts';
import type { Hearing } from '../hearing.ts';
import { LIMITS, Page } from '../page.ts';

/** Keeps what the task of a subagent is about until that starts: its start does not say (T-12). */
export async function onTask({ type }: Task, { asked, briefing, session, sessions }: Hearing): Promise<void> {
  const facts = asked ? await factsOf(asked, briefing) : [];
  sessions?.putTask(session, type, idsOf(facts));
}

/** The records that a task is about, those that it names first. */
async function factsOf(asked: PromptRead, briefing: Briefing): Promise<Fact[]> {
  const { named, facts } = await briefing.about(asked, new Set());
  return [...named, ...facts];
}

const TOOLS = 'Memory of why (MCP precedent): recall before deciding.';
/** Tokens of the line that counts what is left out. */
const NOTE = 20;

/** Says what the task of a subagent names, whole with why, then what holds everywhere, then how much more there is (RE-13). */
export async function onSubagent({ type }: Subagent, hearing: Hearing): Promise<void> {
  const { asked, briefing, session, sessions } = hearing;
  const names = sessions?.tasks(session, type) ?? [];
  // Without words of its own it is about what its task named.
  const task = asked ?? (names.length > 0 ? { ...readPrompt(''), names } : undefined);
  const facts = task ? await factsOf(task, briefing) : [];
  const own = facts.sort(
    (a, b) =>
      names.indexOf(a.id) - names.indexOf(b.id) || Number(b.binds ?? false) - Number(a.binds ?? false),
  );
  const { rules, scopes } = await briefing.atStart({ paths: [], ids: [], wide: [] });
  const count = scopes.reduce((sum, each) => sum + each.count, 0);
  const isRule = new Set(rules.map(({ id }) => id));
  const page = new Page(LIMITS.subagent, [TOOLS], NOTE);
  const left = page.add(own.filter(({ id }, at) => at === 0 || isRule.has(id)));
  page.reasons();
  page.add(rules.flatMap(({ why: _, ...rule }) => (rule.everywhere ? rule : [])));
  left.push(...page.add(own.filter((fact) => !left.includes(fact))));
  const shown = page.context.shown.filter((id) => isRule.has(id));
  const more = count - shown.length + left.filter(({ id }) => !isRule.has(id)).length;
  if (more > 0) page.release().say(`${more} more not shown: recall.`);
  await hearing.say(() => page.context);
}
