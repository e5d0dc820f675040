import { PrecedentError } from '../domain/error.ts';
import { filterOf } from '../domain/filter/parse.ts';
import type { MemoryCore } from '../memory/core.ts';
import { loadOperation } from '../operations/load.ts';
import { dim, line, warn, warnings } from '../operations/view.ts';
import type { CommandSpec, OperationSpec } from './catalogue/spec.ts';
import type { Given } from './command.ts';
import { readFields } from './input/input.ts';
import { withExistingMemory, withMemory, withMemoryToRead } from './open.ts';
import { type Answer, log } from './output/print.ts';
import type { PlaceOptions } from './place.ts';

/** Runs the operation of a command on the memory that is meant. @param given the fields that were typed */
export async function runOperation(
  { operation, given: own, otherwise, arguments: words }: CommandSpec & { operation: OperationSpec },
  given: Given,
  place: PlaceOptions,
): Promise<Answer> {
  const filters = words
    .filter(({ field, joined }) => joined === 'filter' && given[field] !== undefined)
    .map(({ field }) => [field, filterOf(given[field] as string[])]);
  const input = await readFields({ ...given, ...Object.fromEntries(filters), ...own });
  const { access, begins, name } = operation;
  const withIt = access === 'read' ? withMemoryToRead : begins ? withMemory : withExistingMemory;
  return withIt(place, (memory) =>
    answerOf(memory, name, input).catch((error: unknown) => {
      const isMissing = error instanceof PrecedentError && error.code === 'not_found';
      const [words] = Object.values(given);
      if (!isMissing || !otherwise || words === undefined) throw error;
      return answerOf(memory, otherwise.operation, { [otherwise.field]: String(words) });
    }),
  );
}

/** The command line names the workspace always (K-3), also where the result does not. */
async function answerOf(memory: MemoryCore, name: string, input: Given): Promise<Answer> {
  const { workspace } = memory;
  const operation = await loadOperation(name);
  const result = await memory.call(name, input, undefined, log);
  const report = operation.exact ? result : { ...result, workspace };
  const degraded = result.degraded ? [line(warn(`! ${result.degraded}`))] : [];
  const told = Array.isArray(result.warnings) ? warnings(result.warnings) : [];
  const named = 'workspace' in result ? [] : [line(dim(`workspace ${workspace}`))];
  const asked = operation.asks?.(input as never);
  return {
    report,
    question: typeof asked === 'string' ? asked : undefined,
    view: [...operation.view(report as never), ...named, ...told, ...degraded],
  };
}
