import { existsSync, rmSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { TOKEN } from '../../agents/remote.ts';
import { forSh } from '../../agents/shell.ts';
import { invalid, notFound, PrecedentError, unavailable } from '../../domain/error.ts';
import { addressAt, isOnServer, nameAt } from '../../domain/workspace.ts';
import { here } from '../../files/surroundings.ts';
import { askGit } from '../../git/ask.ts';
import { addressOf, BRANCH, GIT } from '../../git/branch.ts';
import { askable, findGitFolder } from '../../git/folder.ts';
import { linesOf, remoteOf } from '../../git/questions.ts';
import type { MemoryCore } from '../../memory/core.ts';
import { copied, counted, did, dim, good, indented, line, type View, warn } from '../../operations/view.ts';
import { locked } from '../locked.ts';
import { open, using } from '../open.ts';
import { localTime } from '../output/date.ts';
import { askFirst } from '../output/destroy.ts';
import { viewOfHeard } from '../output/heard.ts';
import type { Answer } from '../output/print.ts';
import { defineCommand } from '../own-command.ts';
import { addressOf as addressOfServer, isLoopback, isReadOnTheWay } from '../serving/where.ts';
import { findDataFolder, givenName } from '../settings.ts';
import { backupInto, beforeSync, copiesBeforeSync } from './backup.ts';

type Synced = NonNullable<Awaited<ReturnType<MemoryCore['sync']>>>;
type Syncing = NonNullable<Parameters<MemoryCore['sync']>[1]>;
/** Milliseconds that another sync is waited for. */
const PATIENCE = 60_000;

export const sync = defineCommand({
  name: 'sync',
  summary: 'Sync this memory with that of another machine',
  about: `Receives what other machines saved, and sends what they lack: by a branch "${BRANCH}" of the repository's remote, by a folder that the machines share, or by a server ("precedent serve") that has a memory of the same name, with the token in ${TOKEN}. Nothing is overwritten: where two machines decided differently, both decisions are shown until "precedent settle".
Everybody with access to the branch, the folder or the memory of the server can read what is sent there, and everybody who may write there can write in anybody’s name. Memos, checkpoints, keywords and conversations stay here.`,
  examples: ['sync --init ./shared --yes', 'sync', 'sync --dry-run'],
  arguments: {
    what: {
      choices: ['trust'],
      isOwnRefusal: true,
      about: 'trust: accept the records of a machine that were held back',
    },
    machine: { about: 'the machine, as sync names it' },
  },
  options: {
    init: {
      value: 'where',
      preset: 'git',
      about:
        'needed once: the place to sync with. Without a value, or with "git": the remote of this repository; else the address of another one, the path of a folder, or https://HOST for a server',
    },
    yes: { about: 'do not ask' },
    dryRun: { about: 'only show what would be received and sent' },
    status: { about: 'only show what this memory is synced with, and when it last was' },
    ask: { about: 'from now on, hold back what a new machine sends until "precedent sync trust MACHINE"' },
    stop: { about: 'stop syncing; what was sent there stays there' },
  },
  async run({ what, machine, init, yes, dryRun = false, status, ask, stop }, place) {
    if (what !== undefined && what !== 'trust')
      throw invalid.not_one_of(
        `Expected "precedent sync" or "precedent sync trust MACHINE", found "${what}". The place to sync with follows --init: precedent sync --init ${what}`,
      );
    if (what !== undefined && machine === undefined)
      throw invalid.missing('Expected a machine to trust, found none: precedent sync trust MACHINE.');
    const named = init === undefined ? undefined : await placeOf(init);
    if (ask && named && isOnServer(named))
      throw invalid.not_applicable(
        'Expected --ask with a branch or a folder: on a server, tokens decide who may sync.',
      );
    return using(await open(place, { create: dryRun ? 'try' : 'new' }), async (memory): Promise<Answer> => {
      const { workspace } = memory;
      if (stop) {
        await once(memory, null, {});
        const backup = (await copiesBeforeSync(workspace)).at(-1);
        return {
          report: { workspace, stopped: true, ...(backup !== undefined && { backup }) },
          view: [
            did('no longer synced', workspace),
            indented(dim('What was sent stays there, and what was received stays here.')),
            ...backTo(backup),
          ],
        };
      }
      const where = named && isOnServer(named) ? addressAt(named, workspace) : named;
      const isNamed = place.db !== undefined || givenName(place, here().env) !== undefined;
      if (where !== undefined) return begin(memory, where, { yes, dryRun, ask, isNamed });
      const known = await memory.syncedWith();
      if (!known)
        throw notFound.not_synced(
          `Expected a place to sync "${workspace}" with, found none. ${(await isSyncedThere()) ? `The remote of this repository has a branch "${BRANCH}", by which others sync: "precedent sync --init" joins them.` : `Choose one: "precedent sync --init" for a branch of this repository's remote, "precedent sync --init FOLDER", or "precedent sync --init https://HOST" for a server.`}`,
        );
      // On a server it is the one of the same name, also since it has another.
      const folder = isOnServer(known.folder)
        ? addressAt(new URL(known.folder).origin, workspace)
        : known.folder;
      if (status)
        return {
          report: { workspace, ...known, folder },
          view: [line(`with ${shownPlace(folder)}, last on ${localTime(known.at)}`)],
        };
      const renamed = folder === known.folder ? undefined : folder;
      const synced = (await once(memory, renamed, { dryRun, ask, trust: machine })) as Synced;
      return answer(synced, workspace, dryRun);
    });
  },
});

/** Whether a remote had the branch when it was last fetched. */
async function isSyncedThere(): Promise<boolean> {
  const git = askable(here().cwd());
  const found = git && (await askGit(git.top, 'rev-list', ['--no-walk', `--remotes=*/${BRANCH}`]));
  return linesOf(found?.bytes).length > 0;
}

/** One sync at a time on this machine: two would write one copy of a branch. */
async function once(memory: MemoryCore, where: string | null | undefined, how: Syncing) {
  const copies = join(await findDataFolder(here().env), 'sync');
  const refusal = (cause: unknown) =>
    unavailable.busy('Expected no other sync, found one that is running. Try again.', { cause });
  return locked(`${copies}.lock`, { patience: PATIENCE, refusal }, () =>
    memory.sync(where, { copies, token: here().env[TOKEN] || undefined, ...how }),
  );
}

/**
 * What is meant by a place: {@link GIT} and the address of a repository, that of a server, which has no path, or a folder.
 * @throws PrecedentError
 */
async function placeOf(named: string): Promise<string> {
  if (named.trim() === '') throw notReached(named);
  if (named !== 'git') {
    const server = URL.canParse(named) && isOnServer(named) ? new URL(named) : undefined;
    if (server?.pathname === '/') return addressOfServer(named, '--init');
    // A branch is never reached so.
    if (server?.protocol === 'http:') throw notReached(named, `a server without a path: ${server.origin}`);
    const [bare, host] = /^([\w.-]+|\[[\da-f:]+\]):\d{2,5}$/i.exec(named) ?? [];
    if (bare && host)
      throw notReached(
        named,
        `"http${isLoopback(host.replace(/[[\]]/g, '')) ? '' : 's'}://${bare}" for a server`,
      );
    const folder = resolve(here().cwd(), named);
    const address = addressOf(named);
    if (address !== undefined && !isAbsolute(address)) return GIT + address;
    if (/^\w+:(\/\/|:)/.test(named)) throw notReached(named);
    if (!/[/\\]/.test(named) && !existsSync(folder))
      throw invalid.wrong_address(
        `Expected "git", an address, or a folder by its path, found ${JSON.stringify(named)}. For a new folder of that name: precedent sync --init ./${named}`,
      );
    return findGitFolder(folder)?.top === folder ? GIT + folder : folder;
  }
  const git = askable(here().cwd());
  const { url, problem } = git ? await remoteOf(git.top) : {};
  if (!git || url === undefined)
    throw invalid.wrong_folder(
      `Expected a repository with a remote, found ${problem ?? (git ? 'one without' : 'none')}. Name a folder that the machines share, or the address of a repository: precedent sync --init FOLDER.`,
    );
  const isPath = !url.includes(':') && !isAbsolute(url);
  const address = addressOf(isPath ? resolve(git.top, url) : url);
  if (address === undefined) throw notReached(url);
  return GIT + address;
}

const notReached = (url: string, expected = 'an address over https or ssh, or a folder') =>
  invalid.wrong_address(
    `Expected ${expected}, found ${JSON.stringify(url.slice(0, 200).replace(/\/\/[^/@]*@/, '//'))}.`,
  );

/** Shows what would go, and asks (Y-5); and before others are heard, who speaks there (Y-8). Until then nothing is reached. */
async function begin(
  memory: MemoryCore,
  where: string,
  {
    yes,
    dryRun,
    ask: isAsking,
    isNamed,
  }: Pick<Syncing, 'ask'> & { yes: boolean | undefined; dryRun: boolean; isNamed: boolean },
): Promise<Answer> {
  const { workspace } = memory;
  const isElsewhere = where.startsWith(GIT) || isOnServer(where);
  const ask = async (doing: string, offline: boolean) => {
    const isUnheard = offline && !(dryRun && isReachedDry(where));
    const would = (await once(memory, where, { dryRun: true, offline: isUnheard })) as Synced;
    const report = { workspace, ...would };
    if (!offline && isElsewhere && would.newcomers.length === 0 && !would.others) return undefined;
    return askFirst(
      { yes, dryRun },
      {
        doing: doing.replace('N', counted(would.said, 'fact')),
        shown: [
          ...openly(where),
          ...shownOf(would, workspace),
          ...(isUnheard ? [indented(dim('Its records are known only when it can be reached.'))] : []),
        ],
        report,
      },
    );
  };
  const shown = shownPlace(where);
  const { folder: former = where } = (await memory.syncedWith()) ?? {};
  const replaced = former === where ? undefined : shownPlace(former);
  const stays = await ask(
    `send N of workspace "${workspace}" to ${shown}, where everybody with access can read them${replaced === undefined ? '' : `, and no longer sync with ${replaced}`}`,
    isElsewhere,
  );
  if (stays) return stays;
  const alone = isElsewhere && !yes ? await ask(`receive what others wrote to ${shown}`, false) : undefined;
  if (alone) return alone;
  const backup = await backupInto(memory, await beforeSync(), 1).catch((error: unknown) => {
    // Nothing is there yet.
    if (error instanceof PrecedentError && error.code === 'not_found') return undefined;
    throw error;
  });
  // Whoever named the memory, or saw what is there, means it.
  const begins = yes && !isNamed ? refuseOthers(workspace, where) : undefined;
  const synced = (await once(memory, where, { ask: isAsking, begins })) as Synced;
  const kept = backup && (backup.report as { file: string }).file;
  // Nothing came that anybody could want to be without.
  if (kept !== undefined && synced.came.length === 0) rmSync(kept);
  const { report, view } = answer(synced, workspace, false);
  return {
    report: { ...report, ...(replaced !== undefined && { replaced }) },
    view: [
      ...(yes ? openly(where) : []),
      ...view,
      ...(replaced === undefined ? [] : [indented(dim(`No longer synced with ${replaced}.`))]),
      ...(synced.came.length === 0 ? [] : backTo(kept, ['precedent sync --stop'])),
    ],
  };
}

/** How to undo a sync. @param before the commands without which the next sync brings all back */
const backTo = (file: string | undefined, before: string[] = []): View =>
  file === undefined
    ? []
    : [
        indented(dim('To go back to the state before the sync, without later saves:')),
        ...[...before, `precedent backup --restore ${forSh([file])} --force`].map(copied),
      ];

function shownPlace(place: string): string {
  if (place.startsWith(GIT)) return `branch "${BRANCH}" of ${place.slice(GIT.length)}`;
  return isOnServer(place) ? `"${nameAt(place)}" on ${new URL(place).origin}` : place;
}

/** That others on the way can read what goes to a server. */
function openly(place: string): View {
  if (!isOnServer(place) || !isReadOnTheWay(place)) return [];
  return [line(warn('! not encrypted: others on the network can read it and the token. Use https.'))];
}

/** Who speaks there for the first time. */
const newOnes = ({ newcomers, folder }: Synced): View =>
  newcomers.flatMap(({ machine, authors, decisions, binding, isApart }) => [
    line(
      warn(`${isApart ? '! held back' : 'new'}: ${isOnServer(folder) ? new URL(folder).origin : machine}`),
      ` ${authors.join(', ') || 'an unnamed author'}: ${counted(decisions, 'decision')}, ${binding} binding`,
    ),
    ...(isApart ? [copied(`precedent sync trust ${machine}`)] : []),
  ]);

/** Two memories of one project would not meet: said before one of them is begun there. @throws PrecedentError `not_found` */
const refuseOthers = (workspace: string, where: string) => (others: OtherMemory[]) => {
  const { origin } = new URL(where);
  throw notFound.no_memory(
    `Expected a memory "${workspace}" on ${origin}, found none, but ${namesOf(others)}. To join one: ${joining(workspace, others, origin)}. To begin another: precedent --workspace ${workspace} sync --init ${origin}`,
  );
};

type OtherMemory = NonNullable<Synced['others']>[number];
const namesOf = (others: OtherMemory[]) => others.map(({ name }) => name).join(', ');
const joining = (workspace: string, [first]: OtherMemory[], origin: string) =>
  `precedent workspaces rename ${workspace} ${first?.name}, then precedent sync --init ${origin}`;

/** That a server had no memory of this name, so that two of two names meet (Y-5). */
function newThere({ others, folder }: Synced, workspace: string): View {
  if (!others) return [];
  const { origin } = new URL(folder);
  return [
    ...others.flatMap(({ name, same }) =>
      same > 0 ? [line(warn(`! "${name}" there has ${counted(same, 'decision')} of this memory`))] : [],
    ),
    line(warn(`! "${workspace}" is new on ${origin}: a memory of another name does not sync with it`)),
    ...(others.length === 0
      ? []
      : [
          indented(`others that this token reaches: ${namesOf(others)}`),
          indented(dim(`to join one: ${joining(workspace, others, origin)}`)),
        ]),
  ];
}

/** Whether a rehearsal hears a server: where its token is set, and nobody on the way reads it. */
const isReachedDry = (where: string) =>
  isOnServer(where) && Boolean(here().env[TOKEN]) && openly(where).length === 0;

function shownOf(would: Synced, workspace: string): View {
  const { kinds, authors, secrets } = would;
  const list = Object.entries(kinds).map(([kind, count]) =>
    counted(count, kind === 'decision' ? 'version' : kind),
  );
  return [
    ...(list.length > 0 ? [indented(list.join(', '))] : []),
    ...(authors.length > 0 ? [indented(`names in it: ${authors.join(', ')}`)] : []),
    ...newOnes(would),
    ...newThere(would, workspace),
    ...(secrets === undefined ? [] : [line(warn(`! looks like a secret: ${secrets}`))]),
  ];
}

function answer(synced: Synced, workspace: string, isDry: boolean): Answer {
  const said = `${counted(synced.said, 'fact')}${isDry ? ' would be sent' : ''}`;
  return {
    report: { workspace, dry_run: isDry, ...synced },
    view: [
      ...newOnes(synced),
      ...newThere(synced, workspace),
      ...viewOfHeard(synced, [
        line(good('↑ '), said, dim(`  workspace ${workspace} · ${shownPlace(synced.folder)}`)),
      ]),
    ],
  };
}
