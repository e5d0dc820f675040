import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Agent,
  HOOK_TIMEOUT,
  hookWords,
  type Launch,
  ownFile,
  serverArgs,
  serverAt,
  skillIn,
  withMessage,
} from '../agent.ts';
import type { Entry } from '../entry.ts';
import { bearer, endpointOf, TOKEN } from '../remote.ts';
import { claudeHook } from './claude.ts';

const folder: Agent['folder'] = ({ home, environment }) =>
  environment.OPENCODE_CONFIG_DIR || join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');

const NAMES = ['opencode.jsonc', 'opencode.json'];

/** The file that is there, in the order in which the later one wins. */
function settingsIn(folder: string, names: readonly string[]): string {
  const files = names.map((name) => join(folder, name));
  return files.find((file) => existsSync(file)) ?? join(folder, 'opencode.json');
}

const server = (file: string, launch: Launch): Entry =>
  serverAt(
    file,
    'mcp',
    launch.remote
      ? {
          type: 'remote',
          url: endpointOf(launch.remote),
          headers: bearer(`{env:${TOKEN}}`),
          // It would ask its user to sign in where the token is not taken.
          oauth: false,
          enabled: true,
        }
      : { type: 'local', command: [launch.node, ...serverArgs(launch)], enabled: true },
  );

export const opencode: Agent = {
  name: 'opencode',
  title: 'OpenCode',
  programs: ['opencode'],
  folder,
  instructions: { home: [], project: [] },
  shell: { sets: ['OPENCODE'], programs: ['opencode', '.opencode'] },
  // Its plugin, which is ours, calls the hook with events of Claude Code's names and knows where a context goes.
  hook: {
    events: claudeHook.events,
    clients: ['opencode'],
    answer: (_, ...said) => ({ context: withMessage(...said) }),
  },
  entries(machine, { launch, skill, hooks }) {
    const plugin = opencodePlugin(hookWords(launch, 'opencode'));
    return [
      server(settingsIn(folder(machine), [...NAMES, 'config.json']), launch),
      ...(hooks ? [ownFile('hooks', join(folder(machine), 'plugins', 'precedent.js'), plugin)] : []),
      skillIn(folder(machine), skill),
    ];
  },
  shared: (project, launch) => [server(settingsIn(project, NAMES), launch)],
};

/**
 * The text of a plugin for OpenCode, which has no hooks that start a program: it starts one, instead of OpenCode.
 * @param words the program and its arguments
 */
export function opencodePlugin(words: readonly string[]): string {
  const timed = PLUGIN.replace('DEADLINE', String(HOOK_TIMEOUT * 1000));
  return timed.replace('COMMAND', () => JSON.stringify(words));
}

const PLUGIN = `// Written by "precedent setup", which renews it; "precedent unsetup" removes it.
// It asks Precedent at the start of a session and with each prompt, and gives the model what it answers.
import { spawn } from 'node:child_process';

const [program, ...args] = COMMAND;

const ask = (event, cwd) =>
  new Promise((resolve) => {
    const child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
    const timer = setTimeout(() => child.kill(), DEADLINE);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.stdin.on('error', () => {}).end(JSON.stringify({ ...event, cwd }));
    child.on('error', () => resolve(''));
    child.on('close', () => {
      clearTimeout(timer);
      resolve(contextIn(output));
    });
  }).catch(() => '');

const contextIn = (output) => {
  try {
    return String(JSON.parse(output).context ?? '');
  } catch {
    return '';
  }
};

const silently =
  (hook) =>
  async (...given) => {
    try {
      await hook(...given);
    } catch {}
  };

export const Precedent = async ({ directory }) => {
  const starts = new Map();
  const ofAgents = new Set();
  const startOf = (session_id, source = 'startup', start = { hook_event_name: 'SessionStart', source }) => {
    if (!starts.has(session_id)) starts.set(session_id, ask({ session_id, ...start }, directory));
    return starts.get(session_id);
  };

  return {
    event: silently(async ({ event: { type, properties } }) => {
      // A task that another agent gives is not a prompt of a person.
      if (type === 'session.created' && properties.info.parentID) ofAgents.add(properties.info.id);
      if (type === 'session.deleted') starts.delete(properties.info.id);
      if (type === 'session.compacted' && !ofAgents.has(properties.sessionID)) {
        starts.delete(properties.sessionID);
        startOf(properties.sessionID, 'compact');
      }
    }),

    // Every request has it, so that no compaction loses it.
    'experimental.chat.system.transform': silently(async ({ sessionID }, { system }) => {
      if (!sessionID) return;
      const context = await (ofAgents.has(sessionID) ? starts.get(sessionID) : startOf(sessionID));
      // Some models refuse a second system message.
      if (context) system.push([system.pop(), context].filter(Boolean).join('\\n\\n'));
    }),

    'tool.execute.after': silently(async ({ tool, sessionID, args }, output) => {
      if (!/^(bash|read|edit|write|multiedit|patch|precedent_mama_save)$/.test(tool)) return;
      const tool_response = { output: output.output, exit: output.metadata?.exit };
      const event = { hook_event_name: 'PostToolUse', session_id: sessionID, tool_name: tool, tool_input: args, tool_response };
      const context = await ask(event, directory);
      // A tool of a server answers with a list.
      if (context && output.content) output.content.push({ type: 'text', text: context });
      else if (context) output.output += '\\n' + context;
    }),

    'chat.message': silently(async ({ sessionID }, { message, parts }) => {
      const said = parts.filter((part) => part.type === 'text' && !part.synthetic && !part.ignored);
      if (said.length === 0) return;
      const prompt = said.map(({ text }) => text).join('\\n');
      const subagent = { hook_event_name: 'SubagentStart', agent_id: sessionID, prompt };
      if (ofAgents.has(sessionID)) return void startOf(sessionID, '', subagent);
      const event = { hook_event_name: 'UserPromptSubmit', session_id: sessionID, prompt };
      await startOf(sessionID);
      const text = await ask(event, directory);
      const id = parts.at(-1).id + '0';
      if (text) parts.push({ id, sessionID, messageID: message.id, type: 'text', text, synthetic: true });
    }),
  };
};
`;
