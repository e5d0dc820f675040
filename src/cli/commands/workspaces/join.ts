import { invalid, unavailable } from '../../../domain/error.ts';
import { checkWorkspace } from '../../../domain/workspace.ts';
import { here } from '../../../files/surroundings.ts';
import { did } from '../../../operations/view.ts';
import { findHere, openLazily, using } from '../../open.ts';
import { defineCommand } from '../../own-command.ts';
import type { Place } from '../../place.ts';
import { atHome, type Home, memoryAt } from '../../repository/home.ts';
import { learnRepository } from '../../repository/learn.ts';
import { nameOfUrl } from '../../repository/name.ts';
import { changeRegistry, readRegistry, withAlias } from '../../repository/registry.ts';
import { requireHome, requireWorkspace } from '../../workspaces/memories.ts';

/** The name that the answer gives the repository around the working folder. */
const HERE = 'here';

export const workspacesJoin = defineCommand({
  name: 'workspaces join',
  summary: 'Make the project here, or every project with a remote’s URL, use a memory',
  examples: ['workspaces join shop git@github.com:acme/shop.git'],
  arguments: {
    workspace: { about: 'the memory', required: true },
    name: {
      about: 'a URL, or the name that it gives, such as github.com~acme~app; default: the project here',
    },
  },
  async run({ workspace: wanted, name }, options) {
    // Which memory the repository has now does not matter, even where that is named.
    const place = await findHere({ db: options.db });
    const home = requireHome(place);
    const workspace = await atHome(home, (workspaces) => requireWorkspace(home, workspaces, wanted));
    const joined =
      name === undefined ? await joinHere(place, home, workspace) : await join(home, workspace, name);
    return {
      report: { workspace, name: joined },
      view: [did(`${joined === HERE ? 'this folder' : joined} leads to`, workspace)],
    };
  },
});

/** @returns what leads there now */
async function joinHere({ repository }: Place, home: Home, workspace: string): Promise<string> {
  if (!repository)
    throw invalid.wrong_folder(
      `Expected the folder of a project, found the home folder, or that PRECEDENT_WORKSPACE names the memory. Change to the project, unset it, or name a URL.`,
    );
  await using(await existing(home, workspace), (memory) => learnRepository(memory, repository, true));
  return HERE;
}

const existing = (home: Home, workspace: string) =>
  openLazily({ ...memoryAt(home, workspace), create: false });

async function join(home: Home, workspace: string, given: string): Promise<string> {
  // A name that a URL gives has nothing that every URL and path has.
  const name = /[/:\\]/.test(given) ? (nameOfUrl(given, here().cwd()) ?? '') : given.normalize('NFC');
  checkWorkspace(name);
  const alias = { name, workspace, ...(home.db !== undefined && { db: home.db }) };
  const isShared =
    home.db !== undefined && (await atHome(home, (there) => there.addNames(workspace, [name], true)));
  if (home.dataFolder !== undefined) {
    await changeRegistry(home.dataFolder, withAlias(alias));
    // The repositories that have this remote belong to it from now on, and so do their clones (Z-2).
    const { repositories } = readRegistry(home.dataFolder);
    const ids = repositories
      .filter((each) => each.db === home.db && each.names[0] === name)
      .flatMap(({ firstCommits = [] }) => firstCommits);
    await using(await existing(home, workspace), (memory) => memory.firstCommits(ids));
  } else if (!isShared)
    throw unavailable.no_access(
      'Expected a place to store the name, found none: this user may not write it on the server, and this machine has no home folder. Set HOME.',
    );
  return name;
}
