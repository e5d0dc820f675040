import type { Case, Record, TestSet } from './set.ts';

/** A memory that is measured. A file of it exports `memories`: one for each way in which it is used. */
export interface Memory {
  name: string;
  /** Says in one sentence when the model is shown what: the best use that its own documentation describes. */
  rule: string;
  /** The package that the runner installs from npm: `name@version`. */
  package?: string;
  /** A package with native code that it needs, the only one whose install script runs. */
  native?: string;
  /** Whether its words do not depend on what came before in a session. The prompts before each case are then left out. */
  isStateless?: boolean;
  /** Matches its words where they ask the model to save a decision; left out if they never do. */
  asksToSave?: RegExp;
  /** Saves the records of the set. */
  open(place: Place): Promise<Agent>;
}

/** Where a memory works: everything that it writes is below `home`. */
export interface Place {
  home: string;
  /** The project of the set, a git repository. */
  repository: string;
  set: TestSet;
  /** The folder into which the runner installed `package`. */
  installed: string;
  withHints: boolean;
}

/** An agent that works in the repository. Each call returns the text that its model is shown at that moment, or ''. */
export interface Agent {
  /** Begins a session. */
  begin(): Promise<string>;
  prompt(text: string): Promise<string>;
  /** A file is read. @param file relative to the repository */
  read(file: string): Promise<string>;
  /** Before a file is written, or a command runs. */
  change(change: Case): Promise<string>;
  /** After a command failed. */
  fail(failure: Case): Promise<string>;
  /** Definitions of tools and instructions of a server, which the model has in each session. */
  definitions?: string;
  close?(): Promise<void>;
}

/** All words until a file is changed, which an agent reads first. */
export async function touch(agent: Agent, { action, file = '', ...rest }: Case): Promise<string> {
  const said = [await agent.read(file)];
  if (action === 'Edit') said.push(await agent.change({ ...rest, file, tool: 'Edit' }));
  return said.filter((each) => each !== '').join('\n');
}

/** The words at a change of a file that the agent has read, as it must: rules that bind the file came with the read. */
export async function changeOfRead(agent: Agent, change: Case): Promise<string> {
  if (change.tool === 'Edit') await touch(agent, { ...change, action: 'Read' });
  return agent.change(change);
}

/** A record as memories take it that have a title and a text. */
export function textOf(record: Record): { title: string; kind: string; text: string } {
  if (record.kind === 'note')
    return {
      title: record.title ?? record.topic,
      kind: record.note_kind ?? 'note',
      text: record.content ?? '',
    };
  const { decision = '', reasoning = '', files = [], outcome, outcome_reason: reason = '' } = record;
  const parts = [decision, reasoning];
  if (outcome) parts.push(`${outcome === 'failed' ? 'Failed' : 'Worked'}: ${reason}`);
  if (files.length > 0) parts.push(`Files: ${files.join(', ')}`);
  return { title: record.topic, kind: kindOf(record), text: parts.filter((each) => each !== '').join('\n') };
}

/** `rule` for what must hold, `failure` for what failed, else `decision` or `note`. */
export function kindOf({ kind, strength = 'normal', outcome }: Record): string {
  if (kind === 'note') return 'note';
  if (outcome === 'failed') return 'failure';
  return strength === 'normal' ? 'decision' : 'rule';
}

/** The text that an agent would search for at a change: the new text, or the command. */
export const textOfChange = ({ file = '', new: text, command }: Case): string =>
  `${file}\n${text ?? command}`;
