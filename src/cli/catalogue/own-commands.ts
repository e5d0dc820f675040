import type { OwnCommand } from '../own-command.ts';

/**
 * Commands that are not operations, in the order in which help shows them. One file each, named as the command; the first of
 * two words is its group, and names the folder. Each is loaded alone.
 */
const LOADERS: Readonly<Record<string, () => Promise<object>>> = {
  mcp: () => import('../commands/mcp.ts'),
  serve: () => import('../commands/serve.ts'),
  open: () => import('../commands/open.ts'),
  'token list': () => import('../commands/token/list.ts'),
  'token add': () => import('../commands/token/add.ts'),
  'token revoke': () => import('../commands/token/revoke.ts'),
  setup: () => import('../commands/setup.ts'),
  unsetup: () => import('../commands/unsetup.ts'),
  doctor: () => import('../commands/doctor.ts'),
  off: () => import('../commands/off.ts'),
  on: () => import('../commands/on.ts'),
  'tool trigger': () => import('../commands/tool/trigger.ts'),
  review: () => import('../commands/review.ts'),
  check: () => import('../commands/check.ts'),
  'list sessions': () => import('../commands/list/sessions.ts'),
  export: () => import('../commands/export.ts'),
  import: () => import('../commands/import.ts'),
  sync: () => import('../commands/sync.ts'),
  backup: () => import('../commands/backup.ts'),
  redact: () => import('../commands/redact.ts'),
  upgrade: () => import('../commands/upgrade.ts'),
  'workspaces list': () => import('../commands/workspaces/list.ts'),
  'workspaces join': () => import('../commands/workspaces/join.ts'),
  'workspaces rename': () => import('../commands/workspaces/rename.ts'),
  'workspaces remove': () => import('../commands/workspaces/remove.ts'),
  completion: () => import('../commands/completion.ts'),
};

/** Loads one. @param words what is typed */
export async function loadOwn(words: readonly string[]): Promise<OwnCommand> {
  const [own] = Object.values((await LOADERS[words.join(' ')]?.()) ?? {});
  return own as OwnCommand;
}

/** Loads all. */
export function loadAllOwn(): Promise<OwnCommand[]> {
  return Promise.all(Object.keys(LOADERS).map((name) => loadOwn(name.split(' '))));
}
