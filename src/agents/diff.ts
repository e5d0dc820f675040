import { createTwoFilesPatch } from 'diff';

/** What changes in a file, as a unified diff with little around it: settings may hold what is nobody's business. */
export function diffOf(file: string, before: string | undefined, after: string | undefined): string {
  const name = (text: string | undefined) => (text === undefined ? '/dev/null' : file);
  const patch = createTwoFilesPatch(name(before), name(after), before ?? '', after ?? '', '', '', {
    context: 1,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return patch.trimEnd();
}
