import { backup } from '../commands/backup.ts';
import { batch } from '../commands/batch.ts';
import { listCommands } from '../commands/commands.ts';
import { completion } from '../commands/completion.ts';
import { copy } from '../commands/copy.ts';
import { demo } from '../commands/demo.ts';
import { doctor } from '../commands/doctor.ts';
import { edit } from '../commands/edit.ts';
import { embed } from '../commands/embed.ts';
import { exportMemory } from '../commands/export.ts';
import { importMemory } from '../commands/import.ts';
import { mcp } from '../commands/mcp.ts';
import { migrate } from '../commands/migrate.ts';
import { redact } from '../commands/redact.ts';
import { restore } from '../commands/restore.ts';
import { serve } from '../commands/serve.ts';
import { setup } from '../commands/setup.ts';
import { tokenAdd } from '../commands/token/add.ts';
import { tokenList } from '../commands/token/list.ts';
import { tokenRevoke } from '../commands/token/revoke.ts';
import { trigger } from '../commands/trigger.ts';
import { unsetup } from '../commands/unsetup.ts';
import { workspaceAlias } from '../commands/workspace/alias.ts';
import { workspaceRemove } from '../commands/workspace/remove.ts';
import { workspaceRename } from '../commands/workspace/rename.ts';
import { workspaces } from '../commands/workspaces.ts';
import type { OwnCommand } from '../own-command.ts';

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
