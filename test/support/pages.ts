import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { scratch } from './engines.ts';
import { asPerson, OF_PROGRAMS } from './program.ts';

/** The pages whose marked examples are run. */
export const PAGES = ['README.md', 'README.ko.md', ...globSync('docs/*.md').sort()];

/** A code block of a page with the comment above it: `<!-- run -->`, `<!-- session -->`, `<!-- run on PostgreSQL -->`. */
export interface Example {
  mark: string;
  language: string;
  code: string;
}

/** A command of a session, what the page shows below it, and what it printed; ids, dates, tokens and folders made alike. */
export interface Step {
  command: string;
  shown: string;
  printed: string;
}

/** An id, short or whole: its first digits name it. */
const ID = /\b([0-9a-f]{8})(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?\b/g;
/** The tokens of an answer depend on its ids. */
const TOKENS = /\b\d+(?= of \d+ tokens)/g;
const DATE = /(?:today|yesterday) \d\d:\d\d|\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d\.\d{3}Z| \d\d:\d\d)?/g;

/** The marked examples of a page, in order. @throws Error for a mark without a code block below it */
export function examplesOf(page: string): Example[] {
  const text = readFileSync(page, 'utf8');
  const found = [...text.matchAll(/^<!-- ((?:run|session)\b.*?) -->\n```(\w+)\n([\s\S]*?)^```$/gm)];
  const marks = text.match(/<!--\s*(run|session)/g) ?? [];
  if (found.length !== marks.length) throw new Error(`${page}: expected a code block right below each mark.`);
  return found.map(([, mark = '', language = '', code = '']) => ({ mark, language, code }));
}

/** A shell in a folder of its own, in which `precedent` is the built program and /tmp is that folder. */
export function terminal() {
  const folder = realpathSync(scratch());
  const shim = join(folder, 'precedent');
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${resolve('dist/precedent.cjs')}" "$@"\n`);
  chmodSync(shim, 0o755);
  // Nothing of whoever runs the tests: neither their memory nor their colours.
  const env: Record<string, string> = {
    // The documents show what a terminal shows.
    COLUMNS: '120',
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    HOME: folder,
    PRECEDENT_DB: join(folder, 'page.db'),
    PRECEDENT_AUTHOR: 'Kim',
    EDITOR: 'true',
    ...OF_PROGRAMS,
    XDG_CACHE_HOME: OF_PROGRAMS.XDG_CACHE_HOME ?? join(folder, '.cache'),
  };
  asPerson(env);
  // Ids in the order in which they first appear, on the page and in what was printed.
  const ids = { shown: new Set<string>(), printed: new Set<string>() };

  /** Runs commands as they are typed. @returns what they print */
  function type(commands: string): string {
    const own = commands.replaceAll('/tmp/', `${folder}/`);
    return execFileSync('sh', ['-ec', own], { env, cwd: folder, encoding: 'utf8' });
  }

  /** Types the commands of a session, with the ids that they have here. */
  function play(session: string): Step[] {
    return session
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...below] = step.split('\n');
        const shown = below.join('\n').trimEnd();
        const [, variable, value = ''] = command.match(/^export (\w+)=(\S+)$/) ?? [];
        if (variable !== undefined) env[variable] = value.replace('/tmp/', `${folder}/`);
        const own = command.replace(ID, (id, short) => [...ids.printed][[...ids.shown].indexOf(short)] ?? id);
        const printed = type(own).trimEnd();
        for (const [, id = ''] of shown.matchAll(ID)) ids.shown.add(id);
        for (const [, id = ''] of printed.matchAll(ID)) ids.printed.add(id);
        return { command, shown: alike(shown, ids.shown), printed: alike(printed, ids.printed) };
      });
  }

  function alike(text: string, known: Set<string>): string {
    return text
      .replace(ID, (_, id) => `<id ${[...known].indexOf(id) + 1}>`)
      .replace(DATE, '<date>')
      .replace(TOKENS, '<tokens>')
      .replaceAll(folder, '/tmp');
  }

  return { folder, type, play };
}
