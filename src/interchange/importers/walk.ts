import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PrecedentError } from '../../domain/error.ts';
import { isInside } from '../../files/bounded.ts';
import { realPath } from '../../files/machines.ts';

/** The files below a folder that was named. */
export interface Below {
  /** From the folder on, with `/`. */
  path: string;
  /** A file is anything that is not a folder, and a link to one. */
  kind:
    | 'file'
    | 'folder'
    | 'folder that may not be read'
    | 'folder below too many others'
    | 'folder that is not looked into'
    | 'link out of the folder';
}

/** Levels of folders that are entered: the path of each is resolved by the system from its beginning (Z-6). */
const DEEPEST = 64;

/**
 * Everything below a folder, in no order (Z-4). A link that leads out is named and not followed; of links to folders
 * inside, each folder is entered once, so that no chain of links makes more of it than there is. A folder on the 65th level
 * is named and not entered.
 * @param isLeftOut whether a name is not looked at, with all below it
 * @param levels of folders that are listed, 1 for the folder alone
 * @param base what no link may lead out of, where that is more than the folder
 */
export function below(
  folder: string,
  isLeftOut: (name: string) => boolean,
  { levels = DEEPEST, base = folder }: { levels?: number; base?: string } = {},
): Below[] {
  const whole = realpathSync(base);
  const found: Below[] = [];
  const entered = new Set<string>();
  /** Folders to be entered, those behind links last. */
  const open: { path: string; real: string; level: number }[] = [
    { path: '', real: realpathSync(folder), level: 1 },
  ];
  const linked: typeof open = [];
  for (let next = open.pop(); next; next = open.pop() ?? linked.pop()) {
    const { path: outer, real, level } = next;
    if (entered.has(real)) continue;
    entered.add(real);
    for (const entry of entriesOf(real)) {
      if (entry === undefined) {
        found.push({ path: outer, kind: 'folder that may not be read' });
        continue;
      }
      const path = outer === '' ? entry.name : `${outer}/${entry.name}`;
      if (isLeftOut(entry.name)) {
        if (entry.isDirectory() && entry.name !== '.git')
          found.push({ path, kind: 'folder that is not looked into' });
        continue;
      }
      const inner = join(real, entry.name);
      const kind = kindOf(inner, entry, whole);
      if (kind === 'folder' && level === DEEPEST) {
        found.push({ path, kind: 'folder below too many others' });
        continue;
      }
      found.push({ path, kind });
      if (kind !== 'folder' || level >= levels) continue;
      // Only a link needs to be resolved again.
      if (entry.isSymbolicLink()) linked.push({ path, real: realpathSync(inner), level: level + 1 });
      else open.push({ path, real: inner, level: level + 1 });
    }
  }
  return found;
}

/** The entries of a folder; none, once, for one that may not be read. */
function entriesOf(path: string): (Dirent | undefined)[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [undefined];
  }
}

function kindOf(path: string, entry: Dirent, base: string): Below['kind'] {
  if (!entry.isSymbolicLink()) return entry.isDirectory() ? 'folder' : 'file';
  try {
    const real = realPath(path, base);
    if (!isInside(real, base)) return 'link out of the folder';
    return statSync(real).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (error instanceof PrecedentError) return 'link out of the folder';
    // A link to nothing: who reads files names it.
    return 'file';
  }
}
