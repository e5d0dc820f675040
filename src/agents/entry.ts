import type { Format } from './edit/format.ts';
import { json } from './edit/json.ts';
import { toml } from './edit/toml.ts';
import type { Path, Value } from './edit/value.ts';

/** What setup enters for an agent. */
type Part = 'server' | 'permissions' | 'hooks' | 'skill';

/** One thing that setup enters in one file. */
export interface Entry {
  part: Part;
  /** Absolute. */
  file: string;
  /** `text` is a file of our own: its value is all that stands in it. */
  format: keyof typeof FORMATS | 'text';
  /** The keys that lead to the value; to the list, for an item of one. */
  path: Path;
  value: Value;
  /** Set for an item of a list that others have items in. */
  isItem?: true;
  /** Set for what the file needs around everything else: it goes with the file, never before others' settings. */
  isFrame?: true;
}

/** The formats that are changed in place. */
export const FORMATS = { json, toml } satisfies Record<string, Format>;
