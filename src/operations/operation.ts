import type * as z from 'zod';
import type { Tx } from '../store/tx.ts';
import type { View } from './view.ts';

/** Families of operations: `--tools` selects by them, and the reference has a page for each. */
export const FAMILIES = ['decisions', 'observations', 'memos'] as const;
export type Family = (typeof FAMILIES)[number];

/**
 * Kinds of an input or a result, distinguished by one field: each has other fields, which only the library's types can say
 * beforehand. All kinds of a result have the fields that are named in none.
 */
export interface Variant {
  field: string;
  kinds: Record<string, { fields: readonly string[]; required: readonly string[]; isDefault?: true }>;
}

/**
 * One thing that a memory can do, defined once. MCP tool, CLI command, library method and reference page are derived
 * from it: `a_b_c` is the tool, `precedent tool a_b_c` the command of scripts, `memory.a.bC()` the method. The commands of people are in
 * `cli/catalogue/plain.ts`.
 *
 * Names of fields are in snake case; `defineDocument` defines those whose results are in camel case.
 */
export interface Operation<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  name: Name;
  family: Family;
  title: string;
  /** What it does and when to use it, for the model that chooses a tool, in the words it would search for one with. */
  summary: string;
  /** A write runs in a transaction that takes the write lock; a read in a snapshot. */
  access: 'read' | 'write';
  /** A save that makes the memory where there is none (K-2); every other write needs something that is there. */
  createsMemory?: true;
  /** A read whose answer depends on who asks. */
  isPersonal?: true;
  /** A write that has the same effect when it is run twice with the same input; a read always has. */
  idempotent?: true;
  /** It removes records for good: a client may want to ask its user first. */
  destructive?: boolean;
  /**
   * Which models are offered it: those of every server, without this; `optIn`: those of a server that was started for it,
   * by `--tools`; false: none, since they have a tool that serves them better, and it is for people and programs.
   */
  tool?: 'optIn' | false;
  /** Shown to a model at once and not on demand, since it is worth the context. */
  essential?: boolean;
  /** More words by which a client finds it that shows its tools on demand: what one says who needs it. */
  searchHint?: string;
  /** Its result has exactly the published shape (M-7): no face adds a field to it. */
  exact?: boolean;
  /** Fields that the command takes as arguments without a name, in this order. */
  positional?: (keyof z.infer<Input> & string)[];
  /**
   * In the meta of a field, `cli` is its description on the command line, `option` and `also` are other names of its option.
   * `model: false` keeps it from models: it is for people and programs, and no face refuses it.
   */
  input: Input;
  variants?: Variant;
  output: Output;
  /**
   * Runs in one transaction. An error other than a PrecedentError reaches the caller as `internal`. A result that always
   * names its memory (K-3) gets the name from whoever runs it.
   */
  run(tx: Tx, input: z.output<Input>): Promise<Unplaced<z.input<Output>>>;
  /**
   * The same save, where nobody reads its answer: a batch asks for the warnings alone. Only for an operation whose answer
   * costs statements of its own.
   */
  runInBatch?(tx: Tx, input: z.output<Input>): Promise<{ warnings?: string[] }>;
  /** The text whose meaning is searched for when there is a model; its vector is `meaning` in the transaction. */
  embeddingQuery?(input: z.output<Input>): string | undefined;
  /** Adds to the result, in a snapshot taken after the commit. */
  afterCommit?(tx: Tx, result: z.input<Output>): Promise<z.input<Output>>;
  /** The result as a model reads it, where that is shorter (W-3). Programs get all of it, and what other faces added. */
  toModel?(result: z.output<Output>): Record<string, unknown>;
  /** How a person sees the result; left out where programs alone ask, and a person sees what these do. */
  view?(result: z.output<Output>): View;
}

/** A result before the name of its memory is added. */
type Unplaced<Result> = Result extends { workspace: string } ? Omit<Result, 'workspace'> : Result;

/** Checks an operation against {@link Operation} and keeps its own types. */
export function defineOperation<
  const Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
>(operation: Operation<Name, Input, Output>): Operation<Name, Input, Output> {
  return operation;
}
