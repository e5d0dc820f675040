import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REFUSALS } from '../src/domain/error.ts';

const ROOT = join(import.meta.dirname, '..');
/** What makes a refusal, as it is written in the sources. */
const MAKERS: Record<string, string> = { not_found: 'notFound' };

/** The folders of `src` whose sources refuse something under a name; none where none does. */
export function roomsOf(code: string, name: string, sources: ReadonlyMap<string, string>): string[] {
  const says = new RegExp(`\\b${MAKERS[code] ?? code}\\.${name}\\(|'${name}'[,\\]}]|reason: '${name}'`);
  const files = [...sources].filter(([, source]) => says.test(source));
  return [...new Set(files.map(([file]) => file.split(/[\\/]/)[1] ?? ''))].sort();
}

/** The sources that refuse something, by their files. */
export function refusingSources(): Map<string, string> {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) => !/\.test\.tsx?$/.test(file));
  const sources = files.map((file): [string, string] => [file, readFileSync(join(ROOT, file), 'utf8')]);
  return new Map(sources.filter(([, source]) => /PrecedentError|\/error\.ts'/.test(source)));
}

/** The page of the names below the codes of errors, with what each means and which parts of the program say it. */
export function errorsPage(): [path: string, text: string] {
  const sources = refusingSources();
  const rows = Object.entries(REFUSALS).flatMap(([code, names]) =>
    Object.entries(names).map(
      ([name, meaning]) =>
        `| \`${code}/${name}\` | ${meaning} | ${roomsOf(code, name, sources).join(', ')} |`,
    ),
  );
  const text = [
    '# Reference: errors',
    'Made from `src/domain/error.ts` by `npm run reference`; `npm run check` fails when it is stale.',
    'Each refusal has a code, which says what a caller can do about it, and a name below it. The command line prints both in the last line of an error; in JSON they are `code` and `reason`, in TypeScript `error.code` and `error.reason`. Within a major version names are added and none is renamed; messages may change with any version.',
    ['| name | what it means | said in `src/` |', '|---|---|---|', ...rows].join('\n'),
    '',
  ].join('\n\n');
  return ['docs/reference/errors.md', text];
}
