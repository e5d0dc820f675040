import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pkg from '../../../package.json' with { type: 'json' };
import { PrecedentError } from '../../domain/error.ts';
import { isGroup } from '../edit/value.ts';
import type { Entry } from '../entry.ts';
import { converse } from './conversation.ts';
import type { SeenHook, Trust } from './trust.ts';

/**
 * Codex trusts a hook by its place in the file and a hash of what it says, which its own server tells: so neither is
 * guessed here. Both stand in its config.toml, as Codex writes them when a person says yes to `/hooks`.
 */
export const codexTrust: Trust = {
  byHand: 'type /hooks in it',
  server: ['app-server'],
  async ask(program, system, hooks) {
    const [file = ''] = hooks.map((hook) => hook.file);
    const listed = await converse(program, codexTrust.server, system, async (ask, tell) => {
      await ask('initialize', {
        clientInfo: { name: 'precedent', title: 'Precedent', version: pkg.version },
      });
      tell('initialized');
      // The folder of its settings has no hooks of a project.
      return hooksIn(await ask('hooks/list', { cwds: [dirname(file)] }));
    });
    const commands = hooks.map(commandOf);
    const ours = listed.filter(
      ({ sourcePath, command }) => isSameFile(sourcePath, file) && commands.includes(command),
    );
    if (ours.length < hooks.length)
      throw new PrecedentError(
        'unavailable',
        `Expected Codex to see ${hooks.length} hooks of Precedent in ${file}, found ${ours.length}. Type /hooks in Codex.`,
      );
    return ours.map(
      ({ key, currentHash, trustStatus }): SeenHook => ({
        trust: {
          part: 'trust',
          file: join(dirname(file), 'config.toml'),
          format: 'toml',
          path: ['hooks', 'state', key],
          value: { trusted_hash: currentHash },
          vouches: true,
        },
        isTrusted: ['trusted', 'managed'].includes(trustStatus),
      }),
    );
  },
};

const FIELDS = ['key', 'command', 'sourcePath', 'currentHash', 'trustStatus'] as const;
type Listed = Record<(typeof FIELDS)[number], string>;

/** The hooks that start a command, in an answer to `hooks/list`. */
function hooksIn(answer: unknown): Listed[] {
  const folders = isGroup(answer) && Array.isArray(answer.data) ? answer.data : [];
  return folders
    .flatMap((folder) => (isGroup(folder) && Array.isArray(folder.hooks) ? folder.hooks : []))
    .filter(
      (hook): hook is Listed => isGroup(hook) && FIELDS.every((name) => typeof hook[name] === 'string'),
    );
}

function commandOf({ value }: Entry): string {
  const [hook] = isGroup(value) && Array.isArray(value.hooks) ? value.hooks : [];
  return isGroup(hook) ? String(hook.command) : '';
}

function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}
