import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from '../../agents/agent.ts';
import { AGENTS, agentsNamed } from '../../agents/agents.ts';
import { commandOn, removeCommand } from '../../agents/app/command.ts';
import { removeCopy } from '../../agents/app/install.ts';
import { readManifest } from '../../agents/manifest.ts';
import { inProject, needsCopy, projectsIn } from '../../agents/shared.ts';
import { namesIn } from '../../files/bounded.ts';
import { here } from '../../files/surroundings.ts';
import { dim, good, line, strong, type View } from '../../operations/view.ts';
import { alone } from '../agents/alone.ts';
import { machineHere, requestHere, requireProject } from '../agents/here.ts';
import { sessionsFolder } from '../agents/hook-sessions.ts';
import { packageHere } from '../agents/package.ts';
import { outcomesView } from '../agents/view.ts';
import { defineCommand } from '../own-command.ts';
import { findDataFolder } from '../settings.ts';

/** exactly our entries go. A file of ours that a person changed is left, and stays on the list. */
export const unsetup = defineCommand({
  name: 'unsetup',
  summary: 'Remove what setup wrote',
  examples: ['unsetup --dry-run', 'unsetup claude'],
  arguments: {
    agents: {
      about: 'which; default: all that were set up',
      many: true,
      choices: AGENTS.map(({ name }) => name),
    },
  },
  options: {
    project: { about: 'what setup --project wrote in the files of this project' },
    dryRun: { about: 'only show what would change' },
  },
  async run({ agents: names, project, dryRun }) {
    const machine = machineHere();
    const dataFolder = await findDataFolder(here().env);
    const isDry = dryRun === true;
    const named = names.length > 0 ? agentsNamed(names) : AGENTS;
    const chosen = project ? named.map((agent) => inProject(agent, requireProject(machine))) : named;
    const { carryOutAll } = await import('../agents/entering.ts');
    let commandGone: string | undefined;
    const undoSetup = async () => {
      const request = requestHere({}, dataFolder);
      const options = { isWanted: false, isDry };
      const outcomes = carryOutAll(chosen, machine, dataFolder, request, options).filter(
        ({ files, error }) => files.length > 0 || error,
      );
      const out = outcomes.flatMap(({ files }) => files.filter(({ parts }) => parts.length === 0));
      const left = readManifest(dataFolder).written.filter(
        (each) => !out.some(({ file }) => file === each.file),
      );
      if (!needsCopy(left)) {
        const command = commandOn(machine);
        if (isDry ? command.is === 'ours' : removeCommand(command)) commandGone = command.file;
      }
      if (!isDry && !needsCopy(left)) {
        removeCopy(packageHere(), dataFolder);
        // What hooks remember of sessions: words may wait there for a first save (T-13).
        rmSync(sessionsFolder(dataFolder), { recursive: true, force: true });
      }
      return { outcomes, left };
    };
    const { outcomes, left } = await (isDry ? undoSetup() : alone(dataFolder, false, undoSetup));
    const others = project ? [] : projectsIn(left);
    const failed = outcomes.find(({ error }) => error)?.error;
    return {
      report: { dry_run: isDry, agents: outcomes },
      view: [
        ...outcomesView(outcomes, 'removed', isDry),
        ...(outcomes.length + others.length > 0
          ? []
          : [line(dim('Setup has written nothing here. What was entered by hand is not touched.'))]),
        ...(commandGone === undefined
          ? []
          : [
              line(
                good('✔ '),
                strong('precedent'),
                dim(`  the command, ${commandGone}, ${isDry ? 'would be removed' : 'removed'}`),
              ),
            ]),
        ...(left.length > 0 || isDry ? [] : staying(machine, dataFolder)),
        ...others.map((folder) =>
          line(dim(`The shared files of ${folder} stay: "precedent unsetup --project" there removes them.`)),
        ),
      ],
      ...(failed && { code: failed.code }),
    };
  },
});

/** What stays after unsetup, and where (V-7). */
function staying({ home, environment, platform }: Machine, dataFolder: string): View {
  // As the launcher has it (precedent.cjs).
  const caches = {
    darwin: join(home, 'Library', 'Caches'),
    win32: environment.LOCALAPPDATA,
  } as Partial<Record<NodeJS.Platform, string | undefined>>;
  const cache = join(caches[platform] || environment.XDG_CACHE_HOME || join(home, '.cache'), 'precedent');
  return [
    ...(namesIn(dataFolder).some((name) => name.endsWith('.db'))
      ? [line(dim(`Your memories stay in ${dataFolder}.`))]
      : []),
    ...(existsSync(cache)
      ? [line(dim(`What the command compiled stays in ${cache}, and may be removed.`))]
      : []),
  ];
}
