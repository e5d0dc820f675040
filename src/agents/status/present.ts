import { wordsOf } from '../agent.ts';
import { Unreadable } from '../edit/format.ts';
import { isGroup, valueAt } from '../edit/value.ts';
import { type Entry, FORMATS } from '../entry.ts';
import { bytesOf } from '../files.ts';

/** What is entered in the place of an entry. @throws Unreadable */
export function presentAt({ file, project, format, path }: Entry): unknown {
  const text = bytesOf(file, project)
    ?.toString()
    .replace(/^\uFEFF/, '');
  if (text === undefined || format === 'text') return text;
  try {
    return valueAt(FORMATS[format].read(text), path);
  } catch (error) {
    throw error instanceof Unreadable ? new Unreadable(`${file}: ${error.message}`) : error;
  }
}

/** The server under our name, else one under another that starts Precedent all the same. */
export function serverIn(server: Entry): Record<string, unknown> | undefined {
  const servers = presentAt({ ...server, path: server.path.slice(0, -1) });
  if (!isGroup(servers)) return undefined;
  const all = Object.entries(servers).filter((each): each is [string, Record<string, unknown>] =>
    isGroup(each[1]),
  );
  const [, found] =
    all.find(([name]) => name === server.path.at(-1)) ??
    all.find(([, each]) => wordsOf(each).some((word) => PROGRAM.test(word))) ??
    [];
  return found;
}

const PROGRAM = /(?:^|[\\/])precedent(?:-memory)?(?:\.cjs|@[^/]*)?$/;
