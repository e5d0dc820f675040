import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../files/program.ts';

/** How long git may take to answer, in milliseconds. */
const TIMEOUT = 5_000;

/**
 * The URL of `origin`, else of the first remote. Git reads the repository's settings as a file, which it also does where
 * it would refuse the repository because of its owner. Undefined without a remote, and where git cannot be asked.
 */
export async function remoteOf(gitFolder: string): Promise<string | undefined> {
  const found = await ask([
    'config',
    '--file',
    join(gitFolder, 'config'),
    '--get-regexp',
    '^remote\\..*\\.url$',
  ]);
  const remotes = (found.answer ?? '')
    .split('\n')
    .map((line) => line.match(/^remote\.(.*)\.url (.*)$/) ?? []);
  const [, , url] = remotes.find(([, name]) => name === 'origin') ?? remotes[0] ?? [];
  return url?.trim() || undefined;
}

/**
 * The first commit of a repository, which clones, moved folders and forks share.
 * @returns undefined before there is one; null where git cannot tell: a shallow clone, another owner, too long a history
 */
export async function rootCommitOf(gitFolder: string): Promise<string | null | undefined> {
  if (existsSync(join(gitFolder, 'shallow'))) return null;
  const args = ['--git-dir', gitFolder, 'rev-list', '--max-parents=0', 'HEAD'];
  const { answer, isRefusal } = await ask(args);
  if (answer) return answer.split('\n').at(-1);
  // Without a commit, HEAD names nothing, which git says by its exit code.
  return isRefusal && (await ask(['--git-dir', gitFolder, 'rev-parse', '--git-dir'])).answer
    ? undefined
    : null;
}

/** Git's user in the working folder, as `Name <e-mail>`; undefined when git knows neither or cannot be asked. */
export async function userOf(): Promise<string | undefined> {
  const { answer = '' } = await ask(['config', '--get-regexp', '^user\\.(name|email)$']);
  // The last one counts: that of the repository comes after that of the account.
  const [name, email] = ['name', 'email'].map((key) =>
    answer
      .split('\n')
      .findLast((line) => line.startsWith(`user.${key} `))
      ?.slice(`user.${key} `.length)
      .trim(),
  );
  if (!name) return email || undefined;
  return email ? `${name} <${email}>` : name;
}

/** @returns what git prints; `isRefusal` when it ran and said no */
async function ask(args: string[]): Promise<{ answer?: string; isRefusal: boolean }> {
  const git = findProgram('git', process.env);
  if (git === undefined) return { isRefusal: false };
  try {
    // Loaded on use: most hooks of agents need no git.
    const { execFile } = await import('node:child_process');
    const { promisify } = await import('node:util');
    const { stdout } = await promisify(execFile)(git, args, { timeout: TIMEOUT, windowsHide: true });
    return { answer: stdout.trim(), isRefusal: false };
  } catch (error) {
    return { isRefusal: error instanceof Error && 'code' in error && typeof error.code === 'number' };
  }
}
