import type { OwnCommand } from '../own-command.ts';
import { backup } from './backup.ts';
import { batch } from './batch.ts';
import { listCommands } from './commands.ts';
import { completion } from './completion.ts';
import { copy } from './copy.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { edit } from './edit.ts';
import { embed } from './embed.ts';
import { exportMemory } from './export.ts';
import { importMemory } from './import.ts';
import { mcp } from './mcp.ts';
import { redact } from './redact.ts';
import { restore } from './restore.ts';
import { serve } from './serve.ts';
import { setup } from './setup.ts';
import { tokenAdd } from './token/add.ts';
import { tokenList } from './token/list.ts';
import { tokenRevoke } from './token/revoke.ts';
import { trigger } from './trigger.ts';
import { unsetup } from './unsetup.ts';
import { workspaceAlias } from './workspace/alias.ts';
import { migrate } from './workspace/migrate.ts';
import { workspaceRemove } from './workspace/remove.ts';
import { workspaceRename } from './workspace/rename.ts';
import { workspaces } from './workspaces.ts';

/**
 * Commands that are no operation, in the order in which help shows them. One file each, named as the command; the first of
 * two words is its group, and names the folder.
 */
export const commands: readonly OwnCommand[] = [
  demo,
  mcp,
  serve,
  tokenAdd,
  tokenList,
  tokenRevoke,
  setup,
  unsetup,
  doctor,
  trigger,
  edit,
  exportMemory,
  embed,
  importMemory,
  batch,
  copy,
  backup,
  restore,
  redact,
  migrate,
  workspaces,
  workspaceRename,
  workspaceAlias,
  workspaceRemove,
  completion,
  listCommands,
];
