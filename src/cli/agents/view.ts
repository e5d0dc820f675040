import type { AgentStatus } from '../../agents/status.ts';
import {
  type Block,
  bad,
  dim,
  good,
  indented,
  line,
  strong,
  table,
  type View,
  warn,
} from '../../operations/view.ts';
import type { Outcome } from './carried-out.ts';

const PARTS: Record<string, string> = {
  server: 'server',
  permissions: 'tools that need no asking',
  hooks: 'hooks',
  trust: 'trust in its hooks',
  skill: 'skill',
};

/** What became of each agent, its files below. @param done what a person calls it, as `set up` */
export function outcomesView(outcomes: readonly Outcome[], done: string, isDry: boolean): View {
  return outcomes.flatMap((outcome): Block[] => {
    const { title, files, left, unpinned, taken_along, error } = outcome;
    const changed = files.filter((file) => file.done !== 'unchanged');
    if (error)
      return [line(bad('✘ '), strong(title)), ...changed.map(fileLine), indented(bad(error.message))];
    const head =
      changed.length === 0
        ? line(dim('· '), strong(title), dim('  nothing to change'))
        : line(good(isDry ? '· ' : '✔ '), strong(title), dim(`  ${isDry ? `would be ${done}` : done}`));
    return [
      head,
      ...changed.flatMap((file) => (isDry && !isOwnText(file) ? diffView(file.diff) : [fileLine(file)])),
      ...left.map((each) => indented(warn(`! ${each}`))),
      ...unpinned.map((each) => indented(warn(`! no longer pinned to ${each}`))),
      ...taken_along.map((each) => indented(dim(`· ${each}`))),
    ];
  });
}

/** The skill is the same for every agent, and documented: its name is enough. */
const isOwnText = ({ parts }: Outcome['files'][number]): boolean => parts.includes('skill');

function fileLine({ file, parts, done }: Outcome['files'][number]): Block {
  const names = parts.map((part) => PARTS[part] ?? part).join(', ');
  return indented(file, dim(done === 'removed' ? '  removed' : `  ${names}`));
}

function diffView(diff = ''): Block[] {
  return diff.split(/\r?\n/).map((each) => {
    if (/^(?:---|\+\+\+|@@)/.test(each)) return indented(dim(each));
    if (each.startsWith('+')) return indented(good(each));
    return each.startsWith('-') ? indented(bad(each)) : indented(each);
  });
}

/** What the agents of this machine have of Precedent, for `doctor`. */
export function agentsView(agents: readonly AgentStatus[]): View {
  if (agents.length === 0) return [];
  const rows = agents.map((status) => [status.title, ...stateOf(status)]);
  const notes = agents.flatMap(({ title, notes }) => notes.map((note) => line(warn(`! ${title}: ${note}`))));
  return [table(['agent', 'memory'], rows), ...notes];
}

function stateOf({ agent, server, hooks, skill }: AgentStatus) {
  if (server === 'missing')
    return [
      dim(`not connected${skill ? ', but its skill is there' : ''}; "precedent setup ${agent}" does it`),
    ];
  if (server === 'unreadable') return [warn('its settings cannot be read')];
  const parts = [...(hooks ? ['hooks'] : []), ...(skill ? ['skill'] : [])];
  return [
    good(
      `connected${server === 'by hand' ? ' by hand' : ''}${parts.length > 0 ? `, with ${parts.join(' and ')}` : ''}`,
    ),
  ];
}
