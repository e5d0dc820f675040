import { createTwoFilesPatch } from 'diff';
import { masked } from './masked.ts';
import type { Change } from './plan.ts';

/** What changes in a file, as a unified diff with little around it: settings may hold what is nobody's business. */
export function diffOf({ file, before, after, entries, written }: Change): string {
  const ours = [...entries, ...(written?.entries ?? [])];
  const textOf = (bytes: Buffer | undefined) =>
    bytes === undefined ? '' : masked(bytes.toString().replace(/^\uFEFF/, ''), ours);
  const nameOf = (bytes: Buffer | undefined) => (bytes === undefined ? '/dev/null' : file);
  const patch = createTwoFilesPatch(nameOf(before), nameOf(after), textOf(before), textOf(after), '', '', {
    context: 1,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return patch.trimEnd();
}
