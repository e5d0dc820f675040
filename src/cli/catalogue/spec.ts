/** A command as help, parser and completion see it: data alone, made when the program is built (U-8). */
export interface CommandSpec {
  /** What is typed, such as `list` and `topics`. */
  words: string[];
  /** One line in a list of commands. */
  title: string;
  /** What its own help says first. */
  about: string;
  /** Command lines without the program's name; a test runs each. A tool has none. */
  examples: string[];
  arguments: ArgumentSpec[];
  options: OptionSpec[];
  /** Whether `--json` prints its answer. */
  json: boolean;
  /** Set for an operation of the memory; any other command has a source of its own. */
  operation?: OperationSpec;
  /** Other operations for which messages to people name this command. */
  instead?: string[];
  /** Set where `--edit` lets a person write these fields in an editor. */
  edit?: { field: string; about: string }[];
  /** The other things that it does, by what was typed; the first that is meant. */
  ways?: Way[];
  /** Fields that say no change: with these alone the record is opened in an editor (U-6). */
  opens?: string[];
  /** Set where the first of its words alone means it, too. */
  isDefault?: true;
  /** Fields that the command sets by itself. */
  given?: Record<string, unknown>;
  /** The field by which it destroys a note for good, where it has one: it is asked first (K-5). */
  destroys?: string;
  /** Fields with which it is shown what would be done, and asked first (V-2). */
  rehearses?: string[];
  /** The argument that is a key: a new one of several words is most likely what comes after it. */
  key?: string;
  /** What is asked when nothing has the name that was given, and it is a place in the repository (F-2). */
  places?: string;
  /** What is asked when nothing has the name that was given. */
  otherwise?: { operation: string; field: string };
}

/** Another operation that a command runs, or other fields that it sets. */
export interface Way {
  /** Options of which one means it; without these, it is meant where nothing was typed that it does not know. */
  when?: string[];
  operation: OperationSpec;
  given?: Record<string, unknown>;
  /** Its fields by what is typed for them: an argument or an option of the command. */
  fields: Record<string, string>;
}

/** What a face must know of an operation before it is loaded. */
export interface OperationSpec {
  name: string;
  access: 'read' | 'write';
  createsMemory: boolean;
  isPersonal?: true;
}

interface FieldSpec {
  /** As it is typed: `topic`, `next-steps`. */
  name: string;
  /** As the operation or the command knows it. */
  field: string;
  about: string;
  /** Whether it is required; for an operation's option it only looks so, and the operation says what is missing. */
  required?: boolean;
  /** A number is taken as one; `#38` too. */
  isNumber?: boolean;
  choices?: readonly string[];
}

export interface ArgumentSpec extends FieldSpec {
  /** Set for any number of words, a list. */
  many?: true;
  /** Set for several words that are one text, so that a question needs no quotes; a filter keeps those of the shell. */
  joined?: 'words' | 'filter';
  /** Set where the command itself refuses what is not one of its choices. */
  isOwnRefusal?: true;
}

export interface OptionSpec extends FieldSpec {
  /** What help calls its value; an option without one is a switch. */
  value?: string;
  /** What it is when it is given without a value. */
  preset?: string;
  /** Set when it may be repeated. */
  many?: true;
  /** Set when help does not show it: an argument has the same field. */
  hidden?: true;
  /** Another name that is taken and not shown. */
  also?: string;
  /** Set where it is not a field of the operation: it says how the answer is printed. */
  look?: true;
  /** A letter that means the same, as in git. */
  short?: string;
}
