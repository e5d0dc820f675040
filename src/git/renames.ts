import { posix } from 'node:path';
import { askBare, askGit, type GitAnswer } from './ask.ts';
import type { GitFolder } from './folder.ts';
import { askHistory, linesOf } from './questions.ts';

/** Commits that are looked through, about, the newest (F-3). */
const MOST = 20_000;
/** Renames of one file, one after the other. */
const LONGEST_CHAIN = 12;
/** Per cent of a file that a rename keeps at least; less where its last name is the same. */
const ALIKE = { same: 30, other: 50 };
/** Limits of a comparison by git, for one commit: files that it took away, and files that it added. */
const MOST_COMPARED = 400;

/** Files that a commit took away. */
export interface Removal {
  commit: string;
  files: string[];
}

/** The files of what is checked out, as it was committed; undefined where git does not say. */
export async function filesOf(git: GitFolder): Promise<string[] | undefined> {
  const bytes = await askHistory(git, 'ls-tree', ['--name-only', 'HEAD']);
  return bytes && namesIn(`${bytes}`);
}

/** The files that commits took away, the newest first; undefined where git does not say. */
export async function removalsIn({ top }: GitFolder): Promise<Removal[] | undefined> {
  const { bytes } = await askGit(top, 'rev-list', [`--skip=${MOST}`, '--max-count=1', 'HEAD']);
  const [last] = linesOf(bytes);
  const range = last === undefined ? ['HEAD'] : [`${last}..HEAD`];
  const options = [...LOG, '--no-renames', '--no-merges', '--diff-filter=D', '--name-only', ...range];
  return changesIn(await askGit(top, 'log', options))?.map(([commit, files]) => ({ commit, files }));
}

/** The names of today of files that were taken away, without those that are gone: git looks at the commits that took them away. */
export async function heirsOf(
  { shared }: GitFolder,
  present: ReadonlySet<string>,
  removals: Removal[],
  files: string[],
): Promise<Map<string, string>> {
  const heirs = new Map<string, string>();
  /** Where each is followed to so far, and the place among the removals of what came later. */
  let open = files.map((file) => ({ file, now: file, until: removals.length }));
  for (let round = 0; round < LONGEST_CHAIN && open.length > 0; round += 1) {
    const found = open.flatMap((each) => {
      const at = removals.findIndex((removal) => removal.files.includes(each.now));
      const { commit } = removals[at] ?? {};
      return commit !== undefined && at < each.until ? [{ ...each, at, commit }] : [];
    });
    const partners = await partnersIn(shared, [...new Set(found.map(({ commit }) => commit))]);
    open = found.flatMap(({ file, now, at, commit }) => {
      const heir = partners.get(`${commit} ${now}`);
      if (heir === undefined) return [];
      if (!present.has(heir)) return [{ file, now: heir, until: at }];
      heirs.set(file, heir);
      return [];
    });
  }
  return heirs;
}

/** The new names of files in the commits that renamed them, by commit and old name. */
async function partnersIn(gitFolder: string, commits: string[]): Promise<Map<string, string>> {
  const options = ['--no-walk=unsorted', '--stdin', '--diff-filter=R', '--raw', `-l${MOST_COMPARED}`];
  const asked = [...LOG, ...options, `-M${ALIKE.same}%`];
  const partners = new Map<string, string>();
  for (const [commit, tokens] of changesIn(await askBare(gitFolder, 'log', asked, commits.join('\n'))) ?? [])
    for (let at = 0; at + 2 < tokens.length; at += 3) {
      const [about = '', old = '', heir = ''] = tokens.slice(at, at + 3);
      const least = posix.basename(old) === posix.basename(heir) ? ALIKE.same : ALIKE.other;
      if (Number(about.match(/R(\d+)$/)?.[1]) >= least) partners.set(`${commit} ${old}`, heir);
    }
  return partners;
}

const LOG = ['-z', '--format=%H'];

/** Commits with what git says of their files, as it separates that. */
function changesIn({ bytes }: GitAnswer): [commit: string, tokens: string[]][] | undefined {
  if (!bytes) return undefined;
  const [, ...parts] = `${bytes}`.split(/(?:^|\0)([0-9a-f]{40,64})\0\n/);
  return parts.flatMap((commit, at) => (at % 2 === 0 ? [[commit, namesIn(parts[at + 1] ?? '')]] : []));
}

const namesIn = (text: string) => text.normalize('NFC').split('\0').filter(Boolean);
