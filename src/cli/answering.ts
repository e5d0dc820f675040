import { lookedForAsWords } from '../domain/filter/parse.ts';
import { iso } from '../domain/text/moment.ts';
import type { MemoryCore } from '../memory/core.ts';
import type { Keeping } from '../memory/receive.ts';
import { withWarnings } from '../memory/warnings.ts';
import { loadOperation } from '../operations/load.ts';
import { momentAsked } from '../operations/moment-asked.ts';
import { date, dim, indented, line, warn, warnings } from '../operations/view.ts';
import { catalogue } from './catalogue/catalogue.ts';
import type { Given } from './command.ts';
import { callNaming } from './naming-locks.ts';
import { localTime } from './output/date.ts';
import type { Answer } from './output/print.ts';
import { withCommands } from './output/refusal.ts';
import type { PlaceOptions } from './place.ts';

/** The answer of a command that changed nothing. */
export function unchanged({ workspace }: MemoryCore): Answer {
  return {
    report: { changed: false, workspace },
    view: [line(dim(`nothing was changed  workspace ${workspace}`))],
  };
}

/** The command line always names the workspace (K-3), even if the result does not. */
export async function answerOf(
  memory: MemoryCore,
  name: string,
  input: Given,
  how: Keeping = {},
  place?: PlaceOptions,
): Promise<Answer> {
  const { workspace } = memory;
  const operation = await loadOperation(name);
  const called = await callNaming(memory, name, input, how);
  const hasFiles = place && operation.access === 'write' && (input.files ?? input.addFiles) !== undefined;
  const readsLocks = place && ['show', 'decision_retrieve'].includes(name);
  const { unmatched, unbound } = hasFiles || readsLocks ? await import('./repository/vanished.ts') : {};
  const last = hasFiles ? await unmatched?.(input, place) : place && (await unbound?.(called, place));
  const result = withWarnings(called, { last: last ?? [] });
  const report = operation.exact ? result : { ...result, workspace };
  const degraded = result.degraded ? [line(warn(`! ${result.degraded}`))] : [];
  const reported = Array.isArray(result.warnings)
    ? warnings(result.warnings.map((each: string) => withCommands(each, catalogue)))
    : [];
  const named = 'workspace' in result ? [] : [line(dim(`workspace ${workspace}`))];
  // An empty result already has `workspace`. The hint about words applies only to operations with a filter.
  const filter = input.filter ?? (name === 'search' ? input.query : undefined);
  const unread = 'workspace' in result && typeof filter === 'string' ? lookedForAsWords(filter) : undefined;
  // With `--date`, a change to an existing record has its own date.
  const entered = result.updated_at ?? result.created_at ?? result.createdAt;
  const savedAt = input.date === undefined ? undefined : entered;
  const dated = typeof savedAt === 'string' ? [indented(dim('dated '), date(savedAt))] : [];
  const asked = operation.embeddingQuery?.(input as never);
  const at = momentAsked(input, Date.now);
  const then = at === undefined ? [] : [line(dim(`as it was on ${localTime(iso(at))}`))];
  const shown = operation.view?.(report as never);
  return {
    report,
    question: typeof asked === 'string' ? asked : undefined,
    view: [
      ...then,
      ...(shown ?? []),
      ...(unread ? [line(dim(unread))] : []),
      ...dated,
      ...named,
      ...reported,
      ...degraded,
    ],
    ...(!shown && { isJson: true }),
  };
}
