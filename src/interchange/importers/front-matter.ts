import { parse } from 'yaml';
import { isTooDeep } from '../../files/depth.ts';

/** Aliases that a value may use: more would only make it grow. */
const ALIASES = 20;
/** Characters of front matter: its reader takes much longer than others do. */
const LONGEST = 64 * 1024;
const FRONT = /^---[ \t]*\n([\s\S]*?)(?<=\n)---[ \t]*(?:\n|$)/;

/** A markdown file in two parts. */
export interface FrontMatter {
  values: Record<string, unknown>;
  body: string;
  /** Why the front matter could not be read; it is left in the body then. */
  problem?: string;
}

/** Reads the YAML in front of a markdown text. Other text in its place stays a text. */
export function frontMatter(text: string): FrontMatter {
  const [whole = '', yaml = ''] = FRONT.exec(text) ?? [];
  if (whole === '') return { values: {}, body: text };
  const left = { values: {}, body: text.slice(whole.length) };
  if (yaml.length > LONGEST)
    return { ...left, problem: `its front matter is longer than ${LONGEST / 1024} kB` };
  if (isTooDeep(yaml, 'yaml')) return { ...left, problem: 'its front matter is nested too deeply' };
  try {
    const values: unknown =
      parse(yaml, { maxAliasCount: ALIASES, schema: 'core', logLevel: 'error', prettyErrors: false }) ?? {};
    const isMap = typeof values === 'object' && !Array.isArray(values);
    if (isMap) return { ...left, values: values as Record<string, unknown> };
  } catch {
    // The message would quote the file.
  }
  return { ...left, problem: 'its front matter is no YAML' };
}

/** The same, where front matter that cannot be read stays in the text: else what it says would be lost. */
export function wholeFrontMatter(text: string): FrontMatter {
  const read = frontMatter(text);
  return read.problem === undefined ? read : { ...read, body: text };
}
