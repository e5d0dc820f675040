import type { End, Format } from './edit/format.ts';
import { json } from './edit/json.ts';
import { toml } from './edit/toml.ts';
import type { Path, Value } from './edit/value.ts';

/** One thing that setup enters in one file. */
export interface Entry {
  part: 'server' | 'permissions' | 'hooks' | 'skill';
  /** Absolute. */
  file: string;
  /** The folder of a project, for a file in it: others have written that, and no link may lead out of there (Z-3). */
  project?: string;
  /** `text` is a file of our own: its value is all that is in it. */
  format: keyof typeof FORMATS | 'text';
  /** The keys that lead to the value; to the list, for an item of one. */
  path: Path;
  value: Value;
  /** Set for an item of a list that others have items in: a name, or a hook. */
  isItem?: true;
  /** An item that is not entered where the list at this path holds one of these values: a person forbids it there. */
  unless?: { path: Path; holds: string[] };
  /** Set for what the file needs around everything else: it goes with the file, never before others' settings. */
  isFileHeader?: true;
}

/** The entries of setup in one file. */
export interface Ours {
  entries: Entry[];
  /** The groups and lists that were made for them: they go when nothing is left in them. */
  made: Path[];
  /** How the groups and lists ended that something was put into. */
  ends: [Path, End][];
  /** The text that said nothing before setup, or null for no file: it comes back when nothing is left. */
  before?: string | null;
}

/** The formats that are changed in place. */
export const FORMATS = { json, toml } satisfies Record<string, Format>;
