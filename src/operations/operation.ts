import type * as z from 'zod';
import type { Tx } from '../store/tx.ts';
import type { View } from './view.ts';

/** Families of tools: what `--tools` narrows to, and the headings of the reference. */
export type Family = 'decisions' | 'observations' | 'memos';

/**
 * One thing a memory can do, defined once; MCP tool, CLI command, library method and reference page are made
 * from it. `a_b_c` is the tool, `precedent a b-c` the command, `memory.a.bC()` the method.
 */
export interface Operation<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  name: Name;
  family: Family;
  title: string;
  /** For whoever chooses a tool: what it does and when to use it. */
  summary: string;
  /** A write runs in a transaction that takes the write lock; a read in a snapshot. */
  access: 'read' | 'write';
  /** Doing it twice with the same input is the same as doing it once. */
  idempotent: boolean;
  /** It removes what cannot be brought back: a client may want to ask its user. */
  destructive?: boolean;
  /** False when it is for people and programs: models have a tool that serves them better. */
  tool?: false;
  /** Worth the context it takes to be shown to a model at once, not on demand. */
  essential?: boolean;
  /** Fields that the command takes as plain words, in this order. */
  positional?: (keyof z.infer<Input> & string)[];
  input: Input;
  output: Output;
  /** Runs in one transaction. What it throws other than a PrecedentError reaches the caller as `internal`. */
  run(tx: Tx, input: z.output<Input>): Promise<z.input<Output>>;
  /** The text whose meaning is looked for, when there is a model: its vector is the transaction's `meaning`. */
  asks?(input: z.output<Input>): string | undefined;
  /** Adds to the result, in a snapshot taken after the transaction has committed. */
  afterwards?(tx: Tx, result: z.input<Output>): Promise<z.input<Output>>;
  /** How a person sees the result. */
  view(result: z.output<Output>): View;
}

/** Keeps an operation's own types while checking it against {@link Operation}. */
export function defineOperation<
  const Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
>(operation: Operation<Name, Input, Output>): Operation<Name, Input, Output> {
  return operation;
}
