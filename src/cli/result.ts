import type * as z from 'zod';
import type { Operations } from '../operations/index.ts';

type Operation = Operations[number];

/** What an operation answers, for who calls it by its name. */
export type Result<Name extends Operation['name']> = z.output<Extract<Operation, { name: Name }>['output']>;
