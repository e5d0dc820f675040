import { HOOK_TIMEOUT } from '../hook.ts';

/**
 * The text of a plugin for OpenCode, which has no hooks that start a program: it starts one, in the place of OpenCode.
 * @param words the program and its arguments
 */
export function opencodePlugin(words: readonly string[]): string {
  const timed = PLUGIN.replace('DEADLINE', String(HOOK_TIMEOUT * 1000));
  return timed.replace('COMMAND', () => JSON.stringify(words));
}

const PLUGIN = `// Written by "precedent setup", which writes it anew; "precedent unsetup" takes it away.
// It asks Precedent at the start of a session and with each prompt, and gives the model what it answers.
import { spawn } from 'node:child_process';
import { env } from 'node:process';

const [program, ...args] = COMMAND;

/** What Precedent says to an event; '' for nothing, and whatever fails. */
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

/** Whatever fails, OpenCode goes on. */
const silently =
  (hook) =>
  async (...given) => {
    try {
      await hook(...given);
    } catch {}
  };

export const Precedent = async ({ directory }) => {
  if (env.PRECEDENT_HOOKS === 'off') return {};
  const starts = new Map();
  const ofAgents = new Set();
  const startOf = (session_id, source = 'startup') => {
    if (!starts.has(session_id))
      starts.set(session_id, ask({ hook_event_name: 'SessionStart', session_id, source }, directory));
    return starts.get(session_id);
  };

  return {
    event: silently(async ({ event: { type, properties } }) => {
      // What another agent is told to do is no prompt of a person.
      if (type === 'session.created' && properties.info.parentID) ofAgents.add(properties.info.id);
      if (type === 'session.deleted') starts.delete(properties.info.id);
      if (type === 'session.compacted') {
        starts.delete(properties.sessionID);
        startOf(properties.sessionID, 'compact');
      }
    }),

    // Every request has it, the one of a compaction too, so that it is never lost.
    'experimental.chat.system.transform': silently(async ({ sessionID }, { system }) => {
      if (!sessionID || ofAgents.has(sessionID)) return;
      const context = await startOf(sessionID);
      // Some models refuse a second system message.
      if (context) system.push([system.pop(), context].filter(Boolean).join('\\n\\n'));
    }),

    // A part of the message itself: it stays in the conversation, and OpenCode does not show it.
    'chat.message': silently(async ({ sessionID }, { message, parts }) => {
      const said = parts.filter((part) => part.type === 'text' && !part.synthetic && !part.ignored);
      if (said.length === 0 || ofAgents.has(sessionID)) return;
      const prompt = said.map(({ text }) => text).join('\\n');
      const event = { hook_event_name: 'UserPromptSubmit', session_id: sessionID, prompt };
      // After a compaction, that makes what was told unsaid.
      await startOf(sessionID);
      const text = await ask(event, directory);
      const id = parts.at(-1).id + '0';
      if (text) parts.push({ id, sessionID, messageID: message.id, type: 'text', text, synthetic: true });
    }),
  };
};
`;
