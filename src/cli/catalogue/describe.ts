import { operations } from '../../operations/index.ts';
import { aliasesOf } from './aliases.ts';
import { specOfOperation } from './of-operation.ts';
import { specOfOwn } from './of-own.ts';
import { commands } from './own-commands.ts';
import type { CommandSpec } from './spec.ts';

/** Describes every command, out of the short words, the operations, and the commands that are none. */
export function describeCommands(): CommandSpec[] {
  const described = operations.map(specOfOperation);
  return [...aliasesOf(described), ...described, ...commands.map(specOfOwn)];
}
