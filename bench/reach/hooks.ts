import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Agent } from './memory.ts';
import type { Case } from './set.ts';

/** Sends an event to a hook. @returns the text that the model is shown */
export type Send = (event: Event) => Promise<string>;
export interface Event {
  hook_event_name: string;
  session_id: string;
  cwd: string;
  tool_name?: string;
  source?: string;
}

/** Hooks as they stand in the settings of Claude Code: by event, those of each matcher. */
export interface HookSettings {
  [event: string]: { matcher?: string; hooks: { command: string }[] }[];
}

/** An agent that calls hooks as Claude Code does. */
export class HookAgent implements Agent {
  readonly #cwd: string;
  readonly #send: Send;
  readonly definitions: string;
  #sessions = 0;

  constructor(cwd: string, send: Send, definitions = '') {
    this.#cwd = cwd;
    this.#send = send;
    this.definitions = definitions;
  }

  begin(): Promise<string> {
    this.#sessions++;
    return this.#event('SessionStart', { source: 'startup' });
  }

  prompt(prompt: string): Promise<string> {
    return this.#event('UserPromptSubmit', { prompt });
  }

  async read(file: string): Promise<string> {
    const reading = { tool_name: 'Read', tool_input: { file_path: join(this.#cwd, file) } };
    const said = [await this.#event('PreToolUse', reading), await this.#event('PostToolUse', reading)];
    return said.filter((each) => each !== '').join('\n');
  }

  change({ tool = '', file = '', old, new: text, command }: Case): Promise<string> {
    const path = { file_path: join(this.#cwd, file) };
    const input =
      tool === 'Bash'
        ? { command }
        : tool === 'Write'
          ? { ...path, content: text }
          : { ...path, old_string: old, new_string: text };
    return this.#event('PreToolUse', { tool_name: tool, tool_input: input });
  }

  fail({ command, exit, output }: Case): Promise<string> {
    return this.#event('PostToolUseFailure', {
      tool_name: 'Bash',
      tool_input: { command },
      error: `Exit code ${exit}\n${output}`,
    });
  }

  #event(name: string, fields: object): Promise<string> {
    return this.#send({
      hook_event_name: name,
      session_id: `s${this.#sessions}`,
      cwd: this.#cwd,
      ...fields,
    });
  }
}

/** Sends events to the commands of these settings, each in a process of its own. */
export function hookCommands(settings: HookSettings, env: NodeJS.ProcessEnv): Send {
  return async (event) => {
    const about = event.tool_name ?? event.source ?? '';
    const commands = (settings[event.hook_event_name] ?? [])
      .filter(({ matcher = '' }) => ['', '*'].includes(matcher) || new RegExp(`^(?:${matcher})$`).test(about))
      .flatMap(({ hooks }) => hooks);
    const said: string[] = [];
    for (const { command } of commands)
      said.push(shown(event.hook_event_name, await run(command, event, env)));
    return said.filter((each) => each !== '').join('\n');
  };
}

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function run(command: string, event: Event, env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, cwd: event.cwd, env });
    const ended: Ended = { code: null, stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => {
      ended.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      ended.stderr += text;
    });
    child.stdin.on('error', () => {}); // A hook need not read.
    child.stdin.end(JSON.stringify(event));
    child.once('error', reject);
    child.once('close', (code) => resolve({ ...ended, code }));
  });
}

/** The part of an answer that the model sees: plain text only of a start or a prompt; what is refused, with the reason. */
function shown(event: string, { code, stdout, stderr }: Ended): string {
  if (code === 2) return event === 'SessionStart' ? '' : stderr.trim();
  if (code !== 0) return '';
  if (stdout.trim().startsWith('{')) return shownOfJson(stdout);
  return ['SessionStart', 'UserPromptSubmit'].includes(event) ? stdout.trim() : '';
}

/** The part of an answer in JSON that the model sees. The text for the person (`systemMessage`) is left out. */
export function shownOfJson(written: string): string {
  const { hookSpecificOutput: output = {}, decision, reason } = JSON.parse(written);
  const refused = output.permissionDecision === 'deny' ? output.permissionDecisionReason : undefined;
  return [output.additionalContext, refused, decision === 'block' ? reason : undefined]
    .filter((each) => typeof each === 'string' && each !== '')
    .join('\n');
}
