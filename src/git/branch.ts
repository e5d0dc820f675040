import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { type PrecedentError, unavailable } from '../domain/error.ts';
import { secretIn } from '../domain/text/masking.ts';
import { visible } from '../domain/text/visible.ts';
import { namesIn, readBounded } from '../files/bounded.ts';
import { askOwnGit, type GitAnswer, reachGit } from './ask.ts';
import { blobsIn, linesOf, PROBLEMS } from './questions.ts';

/** The names of the branch: in the repository elsewhere, and as it was fetched here. */
export const BRANCH = 'precedent';
/** The prefix of a place to sync with that is such a branch; the address follows. */
export const GIT = 'git:';
const THEIRS = 'refs/precedent/theirs';
const OURS = 'refs/precedent/ours';
/** Bytes that are read from git at once. */
const AT_ONCE = 16 * 1024 * 1024;

/** Which files of the branch are meant; all others are left alone, whatever they are. */
export interface Kept {
  /** By its path, which has one folder. */
  isKept(path: string): boolean;
  /** Bytes at most. */
  largest: number;
  /** Those of them that are taken. @param sizes in bytes, by path */
  withRoom(sizes: Map<string, number>): string[];
}

/** A file as git knows it, with its size in bytes. */
interface File {
  id: string;
  size: number;
}

type Asked = Parameters<typeof askOwnGit> extends [string, ...infer Rest] ? Rest : never;

/**
 * A branch of its own in a repository elsewhere, seen as a folder of files (Y-5, Z-1). Its git folder is our own and has no
 * work tree: files come out of git's objects by their names, and go in by `fast-import`, so that links, attributes, filters,
 * submodules and hooks in what others committed mean nothing.
 * @param folder ours alone; made where it is missing @param address as {@link addressOf} gives it
 */
export class Branch {
  readonly #folder: string;
  readonly #address: string;
  readonly #kept: Kept;
  #tip: string | undefined;
  #isOutOfReach = false;
  #there = new Map<string, File>();
  /** How many files there was no room for. */
  left = 0;

  constructor(folder: string, address: string, kept: Kept) {
    this.#folder = folder;
    this.#address = address;
    this.#kept = kept;
  }

  /**
   * Makes the folder hold what the branch does, nothing where there is no branch. Our git folder is made anew where it has
   * commits that the branch has not (any more): git keeps what such a commit held (Y-7). So it is where a git that was killed
   * has left it broken.
   * @throws PrecedentError `unavailable`
   */
  async receive(): Promise<void> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const isCurrent = await this.#receive().catch((error) => {
      if (this.#isOutOfReach) throw error;
      return false;
    });
    if (isCurrent) return;
    rmSync(join(this.#folder, '.git'), { recursive: true, force: true });
    await this.#receive();
  }

  /** @returns false where our git folder has commits that the branch has not */
  async #receive(): Promise<boolean> {
    if (!namesIn(this.#folder).includes('.git')) await this.#own('init', []);
    const had = linesOf(await this.#own('rev-list', ['--no-walk', '--glob=refs/precedent/*']));
    this.#tip = await this.#fetch();
    const now = this.#tip === undefined ? [] : ['--not', this.#tip];
    if (had.length > 0 && (await this.#own('rev-list', ['--max-count=1', ...had, ...now])).length > 0)
      return false;
    this.#there = this.#tip === undefined ? new Map() : await this.#filesOf(this.#tip);
    const here = new Set(this.#filesHere());
    for (const path of here) if (!this.#there.has(path)) rmSync(join(this.#folder, path));
    await this.#write([...this.#there].filter(([path]) => !here.has(path)));
    return true;
  }

  /**
   * Adds to the branch what was written into the folder since {@link receive}, and removes what was removed.
   * @returns false where somebody else was quicker: receive, and begin again
   * @throws PrecedentError `unavailable` with what git said
   */
  async send(who: string): Promise<boolean> {
    const here = this.#filesHere();
    const added = here.filter((path) => !this.#there.has(path));
    const removed = [...this.#there.keys()].filter((path) => !here.includes(path));
    if (added.length + removed.length === 0) return true;
    const parts: (string | Buffer)[] = [
      `commit ${OURS}\ncommitter Precedent <${who}@precedent.invalid> now\n`,
      ...data(Buffer.from(`${who} says what it knows [skip ci]\n`)),
      ...(this.#tip === undefined ? [] : [`from ${this.#tip}\n`]),
      ...removed.map((path) => `D ${path}\n`),
    ];
    for (const path of added) {
      const bytes = readBounded(join(this.#folder, path), { limit: this.#kept.largest });
      if (bytes) parts.push(`M 100644 inline ${path}\n`, ...data(bytes));
    }
    await this.#own('fast-import', [], Buffer.concat(parts.map((part) => Buffer.from(part))));
    const pushed = await this.#reach('push', `${OURS}:refs/heads/${BRANCH}`);
    if (!pushed.failure) return true;
    if ((await this.#fetch()) !== this.#tip) return false;
    throw this.#problem(pushed);
  }

  /** The newest commit of the branch; undefined where there is none. */
  async #fetch(): Promise<string | undefined> {
    const fetched = await this.#reach('fetch', `+refs/heads/${BRANCH}:${THEIRS}`);
    if (!fetched.failure) return `${await this.#own('rev-list', ['--max-count=1', THEIRS])}`.trim();
    const listed = await this.#reach('ls-remote', `refs/heads/${BRANCH}`);
    this.#isOutOfReach = Boolean(listed.failure);
    if (listed.failure || listed.bytes.length > 0) throw this.#problem(fetched);
    return undefined;
  }

  /** The files of a commit that count, by path. */
  async #filesOf(commit: string): Promise<Map<string, File>> {
    const files = new Map<string, File>();
    for (const line of (await this.#own('ls-tree', ['--long', commit])).toString().split('\0')) {
      const [, id, size, path] = line.match(/^100644 blob ([0-9a-f]+) +(\d+)\t(.+)$/) ?? [];
      if (id && path && this.#kept.isKept(path) && Number(size) <= this.#kept.largest)
        files.set(path, { id, size: Number(size) });
    }
    const taken = new Set(this.#kept.withRoom(new Map([...files].map(([path, { size }]) => [path, size]))));
    this.left = files.size - taken.size;
    return new Map([...files].filter(([path]) => taken.has(path)));
  }

  async #write(files: [path: string, File][]): Promise<void> {
    let size = 0;
    const parts = Map.groupBy(files, ([, file]) => {
      size += file.size;
      return Math.floor(size / AT_ONCE);
    });
    for (const some of parts.values()) {
      const ids = some.map(([, { id }]) => `${id}\n`).join('');
      const read = blobsIn(await this.#own('cat-file', ['--batch'], ids));
      for (const [index, [path]] of some.entries()) {
        const held = read[index];
        if (held === undefined) throw this.#problem({ failure: 'refused' });
        const whole = join(this.#folder, path);
        mkdirSync(dirname(whole), { recursive: true });
        writeFileSync(`${whole}.tmp`, held);
        renameSync(`${whole}.tmp`, whole);
      }
    }
  }

  #filesHere(): string[] {
    return namesIn(this.#folder)
      .flatMap((folder) => namesIn(join(this.#folder, folder)).map((name) => `${folder}/${name}`))
      .filter((path) => this.#kept.isKept(path));
  }

  #reach(question: Parameters<typeof reachGit>[1], reference: string): Promise<GitAnswer> {
    return reachGit(this.#folder, question, this.#address, [reference]);
  }

  async #own(...asked: Asked): Promise<Buffer> {
    const answer = await askOwnGit(this.#folder, ...asked);
    if (answer.failure) throw this.#problem(answer);
    return answer.bytes;
  }

  #problem({ failure = 'refused', words = '' }: GitAnswer & { words?: string }): PrecedentError {
    const said = words.replace(/^hint:.*\n?|\r/gm, '').trim();
    const why = said ? `git said: ${visible(said)}` : PROBLEMS[failure];
    return unavailable.unreachable(`Expected to reach branch "${BRANCH}" of ${this.#address}; ${why}`);
  }
}

/** Bytes as `fast-import` reads them. */
const data = (bytes: Buffer) => [`data ${bytes.length}\n`, bytes, '\n'];

/**
 * A repository elsewhere by its address, without a password, which git's own helpers keep: over HTTPS or SSH, or a folder of
 * this machine. Undefined for anything else, such as an address that names a program.
 */
export function addressOf(text: string): string | undefined {
  if (/[\p{Cc}\s]/u.test(text) || text.startsWith('-')) return undefined;
  // A token instead of a name is as good as a password.
  const bare = text.replace(/^(https:\/\/)([^/@]*@)/, (_, scheme, who) =>
    secretIn(who) ? scheme : scheme + who,
  );
  if (/^(https|ssh):\/\/[^/]/.test(text)) return bare.replace(/^(\w+:\/\/[^/:@]*):[^/@]*@/, '$1@');
  if (/^(\w[\w.-]*@)?\w[\w.-]+:(?!\/\/|:)/.test(text) || /^file:\/\/\//.test(text)) return text;
  return isAbsolute(text) ? text : undefined;
}
