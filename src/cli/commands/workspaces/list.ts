import { dayOf, iso } from '../../../domain/text/moment.ts';
import { describeDatabase } from '../../../memory/engines.ts';
import { counted, dim, indented, line, strong, type View, warn } from '../../../operations/view.ts';
import { findEvenOff } from '../../open.ts';
import type { Answer } from '../../output/print.ts';
import { defineCommand } from '../../own-command.ts';
import { atHome } from '../../repository/home.ts';
import { type Listed, listMemories, requireHome } from '../../workspaces/memories.ts';

export const workspaces = defineCommand({
  name: 'workspaces list',
  isDefault: true,
  summary: 'List the memories on this machine, or on the server: records, last use, names and folders',
  examples: ['workspaces'],
  async run(_, options) {
    const place = await findEvenOff(options);
    const home = requireHome(place);
    const all = await atHome(home, (there) => listMemories(home, there));
    return answer(all, place.workspace, describeDatabase(home.where).shown);
  },
});

function answer(all: Listed[], here: string, location: string): Answer {
  return {
    report: {
      location,
      workspace: here,
      workspaces: all.map(({ workspace, usage, problem, names, folders }) => ({
        workspace,
        ...(usage && {
          records: usage.records,
          last_use: usage.lastUse === null ? null : iso(usage.lastUse),
        }),
        ...(problem !== undefined && { problem }),
        names,
        folders,
      })),
    },
    view: [
      ...(all.length === 0
        ? [line(dim('No workspaces yet: the first save makes one.'))]
        : all.flatMap((each) => viewOf(each, here))),
      line(dim(`${all.length} at ${location} · workspace here: ${here}`)),
    ],
  };
}

function viewOf({ workspace, usage, problem, names, folders }: Listed, here: string): View {
  const used = usage && (usage.lastUse === null ? 'never' : dayOf(iso(usage.lastUse)));
  return [
    line(
      strong(workspace),
      dim(workspace === here ? '  here' : ''),
      usage ? dim(`  ${counted(usage.records, 'record')} · last used ${used}`) : '',
    ),
    ...(problem === undefined ? [] : [indented(warn(`! ${problem}`))]),
    ...(names.length > 0 ? [indented(dim(`also ${names.join(', ')}`))] : []),
    ...folders.map((folder) => indented(dim(folder))),
  ];
}
