import type { OwnCommand } from '../own-command.ts';

/**
 * Commands that are not operations, in the order in which help shows them. One file each, named as the command; the first of
 * two words is its group, and names the folder.
 */
const FILES = [
  'demo',
  'mcp',
  'serve',
  'open',
  'token/add',
  'token/list',
  'token/revoke',
  'setup',
  'unsetup',
  'doctor',
  'off',
  'on',
  'tool/trigger',
  'review',
  'check',
  'sessions',
  'edit',
  'export',
  'embed',
  'import',
  'sync',
  'batch',
  'copy',
  'backup',
  'restore',
  'redact',
  'workspaces',
  'workspace/rename',
  'workspace/alias',
  'workspace/remove',
  'completion',
];

/** Loads one. @param words what is typed, which name its file */
export async function loadOwn(words: readonly string[]): Promise<OwnCommand> {
  const [own] = Object.values(await import(`../commands/${words.join('/')}.ts`));
  return own as OwnCommand;
}

export const commands = await Promise.all(FILES.map((file) => loadOwn(file.split('/'))));
