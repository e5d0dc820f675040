import type { OwnCommand } from '../own-command.ts';
import { backup } from './backup.ts';
import { copy } from './copy.ts';
import { doctor } from './doctor.ts';
import { embed } from './embed.ts';
import { exportMemory } from './export.ts';
import { importMemory } from './import.ts';
import { mcp } from './mcp.ts';
import { redact } from './redact.ts';
import { restore } from './restore.ts';
import { trigger } from './trigger.ts';

/** Commands that are no operation, in the order in which help shows them. One file each, named as the command. */
export const commands: readonly OwnCommand[] = [
  mcp,
  doctor,
  trigger,
  exportMemory,
  embed,
  importMemory,
  copy,
  backup,
  restore,
  redact,
];
