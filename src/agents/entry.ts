import type { Format } from './edit/format.ts';
import { json } from './edit/json.ts';
import { toml } from './edit/toml.ts';
import type { Path, Value } from './edit/value.ts';

/** What setup enters for an agent. */
type Part = 'server' | 'permissions' | 'hooks' | 'trust' | 'skill';

/** One thing that setup enters in one file. */
export interface Entry {
  part: Part;
  /** Absolute. */
  file: string;
  /** The folder of a project, for a file in it: others have written that, and no link may lead out of there (Z-3). */
  project?: string;
  /** `text` is a file of our own: its value is all that is in it. */
  format: keyof typeof FORMATS | 'text';
  /** The keys that lead to the value; to the list, for an item of one. */
  path: Path;
  value: Value;
  /** Set for an item of a list that others have items in. */
  isItem?: true;
  /** An item that is not entered where the list at this path holds one of these values: a person forbids it there. */
  unless?: { path: Path; holds: string[] };
  /** Set for what the file needs around everything else: it goes with the file, never before others' settings. */
  isFileHeader?: true;
  /** Set for what says something about another entry: with another value in its place it is about something else. */
  describesOtherEntry?: true;
  /** Keys that the agent itself writes into the value: without the rest they are of no use, and go with it. */
  agentWrittenKeys?: readonly string[];
}

/** What setup has in one file. */
export interface Ours {
  entries: Entry[];
  /** The groups and lists that were made for them: they go when nothing is left in them. */
  made: Path[];
  /** Whether the file was there before setup. */
  existed: boolean;
}

/** What others changed of an entry of ours, or of a list with items of ours. */
export interface Changed extends Pick<Entry, 'part' | 'path'> {
  /** The keys or items that are not as setup wrote them; empty where the whole is meant. */
  names: string[];
}

/** The formats that are changed in place. */
export const FORMATS = { json, toml } satisfies Record<string, Format>;
