import type { ArgumentSpec, OptionSpec } from './catalogue/spec.ts';
import type { Answer } from './output/print.ts';
import type { PlaceOptions } from './place.ts';

/** A word after the command's name; the last argument alone can have `many`. */
type ArgumentOf = Pick<ArgumentSpec, 'about' | 'many' | 'choices' | 'isOwnRefusal'> & { required?: true };
type OptionOf = Pick<OptionSpec, 'about' | 'value' | 'preset' | 'choices'> & { required?: true };
type Arguments = Readonly<Record<string, ArgumentOf>>;
type Options = Readonly<Record<string, OptionOf>>;

/**
 * A command of the command line alone: it manages a memory as a whole, so it is neither a tool nor a method. What a memory
 * can do for an agent is an `Operation`, and every face has it.
 */
export interface OwnCommand<A extends Arguments = Arguments, O extends Options = Options> {
  name: string;
  summary: string;
  /** What its help says where a line is not enough. Default: the summary. */
  about?: string;
  /** Command lines without the program's name, at most three; a test runs each. */
  examples: string[];
  /** Set where the first of its words alone means it, too. */
  isDefault?: true;
  arguments?: A;
  options?: O;
  /** False for a command that writes to standard output itself: it has no answer that `--json` could print. */
  json?: false;
  /**
   * @param place options that say which memory is meant
   * @param json whether its answer will be printed as JSON
   */
  run(given: Given<A, O>, place: PlaceOptions, json: boolean): Promise<Answer | undefined>;
}

/** What a person typed, under the names of the arguments and options. */
type Given<A extends Arguments, O extends Options> = {
  [Name in keyof A]: A[Name] extends { many: true }
    ? string[]
    : A[Name] extends { required: true }
      ? string
      : string | undefined;
} & {
  [Name in keyof O]: O[Name] extends { required: true } ? ValueOf<O[Name]> : ValueOf<O[Name]> | undefined;
};

type ValueOf<O extends OptionOf> = O extends { choices: readonly (infer Choice)[] }
  ? Choice
  : O extends { value: string }
    ? string
    : boolean;

/** Keeps the types of a command's own arguments and options, so that `run` cannot misread them. */
export function defineCommand<const A extends Arguments, const O extends Options>(
  command: OwnCommand<A, O>,
): OwnCommand<A, O> {
  return command;
}
