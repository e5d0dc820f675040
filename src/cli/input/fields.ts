import { invalid } from '../../domain/error.ts';
import { here } from '../../files/surroundings.ts';
import { decode } from './utf8.ts';

/** What help says of an argument or option that takes a single `-`. */
export const STANDARD_INPUT = '- reads standard input';
/** The option by which a person keeps a secret on purpose (Z-9), in the words of every command that has it. */
export const KEEP_SECRET = 'keep secrets in these texts as they are, and mask none';

/**
 * A value as it was typed, or all of standard input for a single `-`: a long text does not fit a command line.
 * @throws PrecedentError `invalid` when standard input is not UTF-8 (K-7)
 */
export async function typedOrRead(value: string): Promise<string> {
  return value === '-' ? readStandardInput() : value;
}

async function readStandardInput(): Promise<string> {
  const { buffer } = await import('node:stream/consumers');
  const text = decode(await buffer(here().stdin), (line) => `line ${line} of standard input`);
  // A byte order mark says how the text is encoded, and is not part of it.
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/**
 * {@link typedOrRead} for the fields of an operation, each a value or a list of values.
 * @throws PrecedentError `invalid` when two fields ask for standard input, which can be read once, or it is not UTF-8
 */
export async function readFields(input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const isDash = (value: unknown) => value === '-' || (Array.isArray(value) && value.includes('-'));
  const [field, ...others] = Object.keys(input).filter((each) => isDash(input[each]));
  if (field === undefined) return input;
  if (others.length > 0)
    throw invalid.given_twice(
      `Expected "-" (standard input) for one field, found it for ${[field, ...others].join(' and ')}.`,
    );
  const read = await readStandardInput();
  const value = input[field];
  return {
    ...input,
    [field]: Array.isArray(value) ? value.map((each) => (each === '-' ? read : each)) : read,
  };
}
