import { operations } from '../../operations/index.ts';
import { plainCommand, toolCommand } from './of-operation.ts';
import { specOfOwn } from './of-own.ts';
import { commands } from './own-commands.ts';
import { PLAIN } from './plain.ts';
import type { CommandSpec } from './spec.ts';

/** Describes every command: those for people, those of the command line alone, and each operation as a tool. */
export function describeCommands(): CommandSpec[] {
  const plain = PLAIN.map((each) => plainCommand(each, operations));
  return [...plain, ...commands.map(specOfOwn), ...operations.map(toolCommand)];
}
