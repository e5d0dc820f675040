import type { ExecFileException } from 'node:child_process';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { findProgram } from '../files/program.ts';
import { here } from '../files/surroundings.ts';

/** How long git may take to answer, in milliseconds. A folder can make it wait for ever, for instance by a named pipe. */
const TIMEOUT = 5_000;
/** Bytes that git may answer with. */
const LONGEST_ANSWER = 8 * 1024 * 1024;
/** The same for `sync`, which asks for files of known sizes, and waits for the network and for a password. */
const WAITING = { timeout: 10 * 60_000, maxBuffer: 96 * 1024 * 1024 };

/**
 * The git commands that may run in any folder (Z-1). Each only reads objects or settings. Not allowed: `diff`, which may
 * start a program that the folder names; a command that reads the work tree, whose filters would run; one that writes or
 * uses the network. Add a command only with the options that enforce this.
 */
const QUESTIONS = {
  config: [],
  'rev-list': [],
  'cat-file': [],
  'merge-base': [],
  // Only names and ids of trees and of the index: no work tree, no contents of files.
  'ls-tree': ['-r', '-z', '--full-tree'],
  'diff-tree': ['-r', '--raw', '--no-abbrev', '--no-renames', '-z', '--no-ext-diff', '--no-textconv'],
  'diff-index': ['--cached', '--raw', '--no-abbrev', '--no-renames', '-z', '--no-ext-diff', '--no-textconv'],
  // Only names and dates; even a patch would start no program of the folder. Nothing in the work tree is read: no `.mailmap`
  // and no attributes, since only exact renames count, unless there is no work tree ({@link askBare}).
  log: ['--no-ext-diff', '--no-textconv', '--no-show-signature', '--no-mailmap', '-M100%'],
} satisfies Record<string, string[]>;

/**
 * Commands that only `sync` runs, in a git folder of its own (Z-1). It has no work tree, so file names, links, attributes,
 * filters and submodules in other people's commits have no effect.
 */
const OWN = {
  init: ['--quiet', '--template='],
  'fast-import': ['--quiet', '--force', '--date-format=now'],
} satisfies Record<string, string[]>;

/** Questions that reach a network: `sync` alone, to the address that the person confirmed, with the person's own settings. */
const NETWORK = {
  'ls-remote': ['--quiet'],
  fetch: ['--quiet', '--no-tags', '--no-recurse-submodules', '--force'],
  push: ['--quiet', '--no-recurse-submodules', '--no-follow-tags', '--no-signed', '--no-verify'],
} satisfies Record<string, string[]>;

/** Safe values for the settings that could name a program or lead elsewhere. They override the folder's settings. */
const GUARDS = [
  // A folder inside a work tree that only looks like a repository is not one: git 2.35.4.
  'safe.bareRepository=explicit',
  'core.hooksPath=/dev/null',
  'core.attributesFile=/dev/null',
  'core.fsmonitor=false',
  'core.alternateRefsCommand=false',
  'core.editor=false',
  'core.pager=cat',
  'diff.external=',
  'diff.orderFile=/dev/null',
  'gpg.program=false',
  'gpg.ssh.program=false',
  'gpg.x509.program=false',
  'log.showSignature=false',
  // Nothing is left running.
  'gc.autoDetach=false',
  'maintenance.autoDetach=false',
  'receive.autogc=false',
  // No time is spent on what large files have in common.
  'core.bigFileThreshold=256k',
];
/** Further settings for commands that may not use a network. */
const OFFLINE = [
  // No connection, even in versions without GIT_NO_LAZY_FETCH: since git 2.12.
  'protocol.allow=never',
  'core.sshCommand=false',
  'core.gitProxy=',
  'core.askPass=',
  'credential.helper=',
  'uploadpack.packObjectsHook=',
  // A remote of another format could not be fetched from: git 3.
  'init.defaultObjectFormat=sha1',
];

/** Git's own variables, with the version that introduced each. For an older git, the guards above must do. */
const VARIABLES = {
  // 2.44, backported to 2.39.4: a missing object is never fetched.
  GIT_NO_LAZY_FETCH: '1',
  // 1.6.6, and since the first: history is read as it was committed, without replacements and grafts.
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/dev/null',
  // 2.15: no optional writes, such as a refreshed index.
  GIT_OPTIONAL_LOCKS: '0',
  // 1.7.12: reading an endless file fails here, before the machine runs out of memory.
  GIT_ALLOC_LIMIT: '96m',
  // The same words in every language.
  LC_ALL: 'C',
};
/** Further variables for commands that may not use a network. */
const OFFLINE_VARIABLES = {
  // 2.2.3: no protocol is named `none`.
  GIT_ALLOW_PROTOCOL: 'none',
  // 2.3, 1.5.5: nobody is asked for a password.
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  GIT_SSH_COMMAND: 'false',
};

/** Variables of git that say where the person's own settings are; all others would lead git to another repository. */
const OWN_SETTINGS = /^GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)$/;

/** Variables that say how the person reaches a server. */
const OWN_WAYS = /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|TERMINAL_PROMPT|SSL_\w+|HTTP_\w+|PROXY_\w+)$/;

export type Question = keyof typeof QUESTIONS | keyof typeof OWN;
type Reaching = keyof typeof NETWORK;

/** Until when this process does not ask again about a folder whose settings or history took git too long (Z-3). */
const tooSlow = { settings: new Map<string, number>(), history: new Map<string, number>() };
/** Milliseconds: a busy machine is idle again after a while. */
const PAUSE = 60_000;

/**
 * The output of git, or why there is none: git is missing, took too long or printed too much, or refused. `words` is its
 * error output where a person must see it.
 */
export type GitAnswer =
  | { bytes: Buffer; failure?: undefined }
  | { bytes?: undefined; failure: 'missing' | 'slow' | 'refused'; words?: string };

/**
 * The only way to call git (Z-1). It asks about the repository in a folder, runs no program that the folder's files or
 * settings name, and keeps git's own guards (`safe.directory`, `safe.bareRepository`). Works with any version of git: an
 * older one ignores the {@link GUARDS} and {@link VARIABLES} that it does not know.
 * @param folder the work tree's own folder, absolute: git looks for no repository above it
 * @param input what git reads from standard input; nothing when left out
 */
export async function askGit(
  folder: string,
  question: Question,
  options: string[],
  input: string | Buffer = '',
): Promise<GitAnswer> {
  return remembered(await run(callOf(folder, question, options), input), folder, question);
}

/**
 * {@link askGit} without the work tree of the repository: git reads the attributes of one to tell what was renamed. Its folder of
 * objects, which is checked whole, serves as one: `--bare` counts for nothing where the settings name a work tree. Git does not
 * ask whose a git folder is that is named to it, so ask only where {@link askGit} was answered.
 * @param gitFolder the one that all worktrees share
 */
export async function askBare(
  gitFolder: string,
  question: Question,
  options: string[],
  input: string,
): Promise<GitAnswer> {
  const call = callOf(join(gitFolder, 'objects'), question, options, ['--git-dir=..', '--work-tree=.']);
  return remembered(await run(call, input), gitFolder, question);
}

/** {@link askGit} for a git folder of our own, with more time and larger answers. */
export async function askOwnGit(
  folder: string,
  question: Question,
  options: string[],
  input: string | Buffer = '',
): Promise<GitAnswer> {
  return run(callOf(folder, question, options), input, WAITING);
}

/**
 * Fetches from, pushes to or lists a repository elsewhere, from a git folder of our own (Z-1).
 * @param address as {@link addressOf} gives it @param references what is fetched, pushed or listed
 */
export async function reachGit(
  folder: string,
  question: Reaching,
  address: string,
  references: string[],
): Promise<GitAnswer> {
  const git = findProgram('git', here().env);
  if (git === undefined) return { failure: 'missing' };
  const isLocal = isAbsolute(address) || address.startsWith('file:');
  const { stdin, stderr } = here();
  const env = {
    ...environmentFor(folder, here().env, (name) => OWN_SETTINGS.test(name) || OWN_WAYS.test(name)),
    GIT_ALLOW_PROTOCOL: isLocal ? 'file' : 'https:ssh',
    ...(!(stdin.isTTY && stderr.isTTY) && { GIT_TERMINAL_PROMPT: '0' }),
  };
  const server = isLocal ? [serverHere(git, question === 'push' ? 'receive-pack' : 'upload-pack')] : [];
  const words = wordsOf(folder, GUARDS, [question, ...NETWORK[question], ...server, '--', address]);
  return run({ git, words: [...words, ...references], env }, '', WAITING);
}

/** The git that serves a repository on this machine: it too starts no program that settings or hooks name. */
const serverHere = (git: string, program: string) =>
  `--${program}=GIT_ALLOW_PROTOCOL=none '${git.replaceAll("'", "'\\''")}' ${GUARDS.map((each) => `-c ${each}`).join(' ')} ${program}`;

/** A call of git, or the reason why it is not run. */
type Call = { git: string; words: string[]; env: NodeJS.ProcessEnv } | 'missing' | 'slow' | 'refused';

function run(call: Call, input: string | Buffer, more: Partial<typeof WAITING> = {}): Promise<GitAnswer> {
  if (typeof call === 'string') return Promise.resolve({ failure: call });
  const { git, words, env } = call;
  return new Promise((resolve) => {
    const child = processes().execFile(git, words, { ...SETTINGS, ...more, env }, (error, stdout, stderr) =>
      resolve(error ? { failure: failureOf(error), words: `${stderr}` } : { bytes: stdout }),
    );
    // It may end before it has read its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** An answer, after which a folder that took too long is not asked about for a while. */
function remembered(answer: GitAnswer, folder: string, question: Question): GitAnswer {
  const { failure } = answer;
  if (failure === 'slow') tooSlow[about(question)].set(folder, performance.now() + PAUSE);
  return failure ? { failure } : answer;
}

/** The folder that `~/` means in git's settings. */
export const homeForGit = (): string => here().env.HOME || here().env.USERPROFILE || '';

/** {@link askGit}, but synchronous: for callers that read one file after the other. */
export function askGitAtOnce(folder: string, question: Question, options: string[]): GitAnswer {
  const call = callOf(folder, question, options);
  if (typeof call === 'string') return { failure: call };
  const { git, words, env } = call;
  const { error, status, stdout } = processes().spawnSync(git, words, { ...SETTINGS, env, stdio: 'pipe' });
  if (status === 0) return { bytes: stdout };
  return remembered({ failure: error ? 'slow' : 'refused' }, folder, question);
}

/** Loaded on use: it brings Node's streams and sockets along, and many commands ask git nothing. */
const processes = () => process.getBuiltinModule('node:child_process');

function callOf(folder: string, question: Question, options: string[], how: string[] = []): Call {
  const git = findProgram('git', here().env);
  if (git === undefined) return 'missing';
  // If its settings were too slow, its history would be too; not the other way round.
  const until = Math.max(
    ...[tooSlow.settings, tooSlow[about(question)]].map((slow) => slow.get(folder) ?? 0),
  );
  if (performance.now() < until) return 'slow';
  // Git would take such a folder for two, and look for a repository above it.
  if (folder.includes(delimiter)) return 'refused';
  const env = environmentFor(folder, here().env, (name) => OWN_SETTINGS.test(name));
  const words = [...how, question, ...{ ...QUESTIONS, ...OWN }[question], ...options];
  return {
    git,
    words: wordsOf(folder, [...GUARDS, ...OFFLINE], words),
    env: { ...env, ...OFFLINE_VARIABLES },
  };
}

const wordsOf = (folder: string, guards: string[], words: string[]) => [
  '--no-pager',
  '--literal-pathspecs',
  ...guards.flatMap((guard) => ['-c', guard]),
  '-C',
  folder,
  ...words,
];

const SETTINGS = {
  timeout: TIMEOUT,
  killSignal: 'SIGKILL',
  maxBuffer: LONGEST_ANSWER,
  windowsHide: true,
  encoding: 'buffer',
} as const;

const about = (question: Question) => (question === 'config' ? 'settings' : 'history');

/** Git that refuses exits with a number; git that was killed has none. */
const failureOf = ({ killed, code }: ExecFileException) =>
  killed || typeof code !== 'number' ? 'slow' : 'refused';

function environmentFor(folder: string, environment: NodeJS.ProcessEnv, keeps: (name: string) => boolean) {
  const kept = Object.entries(environment).filter(([name]) => !name.startsWith('GIT_') || keeps(name));
  return { ...Object.fromEntries(kept), ...VARIABLES, GIT_CEILING_DIRECTORIES: dirname(folder) };
}
