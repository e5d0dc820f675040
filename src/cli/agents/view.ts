import type { Agent, Machine } from '../../agents/agent.ts';
import { hasPlugin } from '../../agents/plugin.ts';
import { cut } from '../../domain/text/sentence.ts';
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
import type { Outcome } from './entering.ts';
import type { AgentHere } from './statuses.ts';

const PARTS: Record<string, string> = {
  server: 'server',
  permissions: 'tools that run without asking',
  hooks: 'hooks',
  skill: 'skill',
};

/** What became of each agent, its files below. @param done what a person calls it, as `set up` */
export function outcomesView(outcomes: readonly Outcome[], done: string, isDry: boolean): View {
  return outcomes.flatMap((outcome): Block[] => {
    const { title, files, notes, error } = outcome;
    const changed = files.filter((file) => file.done !== 'unchanged');
    if (error)
      return [line(bad('✘ '), strong(title)), ...changed.map(fileLine), indented(bad(error.message))];
    const head =
      changed.length === 0
        ? line(dim('· '), strong(title), dim('  nothing to change'))
        : line(good(isDry ? '· ' : '✔ '), strong(title), dim(`  ${isDry ? `would be ${done}` : done}`));
    return [
      head,
      ...changed.flatMap((file) => [fileLine(file), ...fewLines(file.lines ?? []).map(changeLine)]),
      ...notes.map((each) => indented(warn(`! ${each}`))),
    ];
  });
}

function fileLine({ file, parts, taken, done }: Outcome['files'][number]): Block {
  const [has, had] = [parts, taken].map((all) => all.map((part) => PARTS[part] ?? part).join(', '));
  const gone = done === 'removed' ? `${had} removed` : `${had} taken out`;
  return indented(file, dim(`  ${[...(has ? [has] : []), ...(had ? [gone] : [])].join('; ')}`));
}

/** The entries of one list count as a line, and long values are cut: `--json` has them whole (TR-7). */
function fewLines(lines: readonly string[]): string[] {
  const all = Map.groupBy(lines, (each) => each.split(': ')[0] ?? '');
  return [...all].map(([label, [first = '', ...more]]) =>
    more.length === 0 ? cut(first, CHANGE) : `${label}: ${more.length + 1} entries`,
  );
}
/** Characters of a change. */
const CHANGE = 120;

const changeLine = (text: string): Block => indented(text.startsWith('+') ? good(text) : bad(text));

/** Which agents were entered less, since their plugin does the rest. */
export function pluginsView(agents: readonly Agent[], machine: Machine): View {
  return agents
    .filter((agent) => hasPlugin(agent, machine))
    .map(({ title }) => line(dim(`${title} has the plugin, which brings server, hooks and skill.`)));
}

/** What the agents of this machine have of Precedent, for `doctor`: a line for each, and more for what is to be done. */
export function agentsView(agents: readonly AgentHere[]): View {
  if (agents.length === 0) return [];
  const rows = agents.map((status) => [status.title, ...stateOf(status)]);
  const notes = agents.flatMap(({ title, notes }) => notes.map((note) => line(warn(`! ${title}: ${note}`))));
  return [table(['agent', 'memory'], rows), ...notes];
}

const CONNECTED = {
  setup: 'connected',
  'by hand': 'connected by hand',
  plugin: 'connected by its plugin',
  project: 'connected by the files of this project',
};

function stateOf({ agent, server, hooks, trusted, skill, options, version, url, answers }: AgentHere) {
  if (server === 'missing')
    return [
      dim(`not connected${skill ? ', but its skill is there' : ''}; "precedent setup ${agent}" connects it`),
    ];
  if (server === 'unreadable') return [warn('its settings cannot be read')];
  const untrusted = trusted === false ? ' (not trusted)' : '';
  const parts = [...(hooks ? [`hooks${untrusted}`] : []), ...(skill ? ['skill'] : [])];
  const isFine = answers !== false && trusted !== false;
  const state = [
    parts.length > 0 ? `${CONNECTED[server]}, with ${parts.join(' and ')}` : CONNECTED[server],
    ...(hooks === false ? ['no hooks'] : []),
    ...(url === undefined ? [] : [url, answers ? 'answers' : 'does not answer']),
    ...(options === undefined ? [] : [options]),
    ...(version === undefined ? [] : [version]),
  ].join(' · ');
  return [isFine ? good(state) : warn(state)];
}
