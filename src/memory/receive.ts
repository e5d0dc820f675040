import { invalid } from '../domain/error.ts';
import { jsonIn } from '../domain/text/json.ts';
import { countedForms, mask, maskDeep } from '../domain/text/masking.ts';
import { redactDeep } from '../domain/text/redaction.ts';
import { cutSequences } from '../domain/text/terminal.ts';
import { checkSize } from '../operations/bounds.ts';
import { parseInput } from '../operations/input.ts';
import type { Operation } from '../operations/operation.ts';
import { Pauses } from '../store/pauses.ts';

/** Options of a save, for a person. */
export interface Keeping {
  /** Whether secrets in a known form are kept as they are, and not masked (Z-9). */
  keepsSecrets?: boolean;
}

/**
 * Cleans an input before anything else uses it: terminal sequences are cut (K-7), and in a write private text
 * is redacted and secrets are masked, so that they are in no error message, no log and no table (D-16, Z-9).
 * Its lengths are checked before (Z-12).
 * @returns the input as the operation takes it, and what the caller learns about its texts
 * @throws PrecedentError `invalid`
 */
export async function receive(operation: Operation, given: unknown, { keepsSecrets = false }: Keeping = {}) {
  const input = typeof given === 'string' ? argumentsIn(operation.name, given) : given;
  checkSize(operation, input);
  const isWrite = operation.access === 'write';
  const redacted = isWrite ? redactDeep(input) : input;
  const { rest, cut } = cutFromFields(redacted);
  const isCut = cut.length > 0;
  if (!isWrite) return { given: parseInput(operation, isCut ? rest : input), warnings: [] };
  // Cutting a sequence can complete a tag, so redact again. A tag inside a sequence was already redacted with
  // the text after it.
  const clean = isCut ? redactDeep(rest) : redacted;
  // Last: a sequence may have hidden a secret.
  const { rest: kept, masked } = keepsSecrets ? { rest: clean, masked: [] } : await maskedInFields(clean);
  return { given: parseInput(operation, kept), warnings: [...cut, ...masked] };
}

/**
 * The arguments that a model wrote, which some providers hand over as a text: none as an empty one; in a fence, or encoded twice.
 * @throws PrecedentError `invalid` for a text that was cut; any other is the schema's to refuse
 */
function argumentsIn(name: string, text: string): unknown {
  const [, fenced = text] = text.match(/^\s*```(?:json)?([\s\S]*)```\s*$/) ?? [];
  const json = fenced.trim();
  const given = json === '' ? {} : jsonIn(json);
  if (typeof given === 'string') return argumentsIn(name, given);
  if (given === undefined && json.startsWith('{') && !json.endsWith('}'))
    throw invalid.wrong_form(
      `${name}: Expected the arguments as one object of JSON, found an incomplete one: it ends after ${json.length} characters. Call again with all of it.`,
    );
  return given ?? text;
}

/** Fields are texts or lists of texts; any other value is left to the schema. */
function cutFromFields(input: unknown): { rest: unknown; cut: string[] } {
  if (!isRecord(input)) return { rest: input, cut: [] };
  const warnings: string[] = [];
  const fields = Object.entries(input).map(([field, value]) => {
    let count = 0;
    const clean = (each: unknown) => {
      if (typeof each !== 'string') return each;
      const { text, cut } = cutSequences(each);
      count += cut;
      return text;
    };
    const rest = Array.isArray(value) ? value.map(clean) : clean(value);
    if (count > 0) warnings.push(cutWarning(count, field));
    return [field, rest];
  });
  return { rest: Object.fromEntries(fields), cut: warnings };
}

function cutWarning(count: number, field: string): string {
  return `${count} terminal ${count === 1 ? 'sequence was' : 'sequences were'} cut from "${field}".`;
}

async function maskedInFields(input: unknown): Promise<{ rest: unknown; masked: string[] }> {
  if (!isRecord(input)) return { rest: maskDeep(input), masked: [] };
  const warnings: string[] = [];
  const pauses = new Pauses();
  const fields: [string, unknown][] = [];
  for (const [field, value] of Object.entries(input)) {
    const names: string[] = [];
    const tell = (name: string) => names.push(name);
    const shown = mask(field, tell);
    const items: unknown[] = [];
    for (const each of Array.isArray(value) ? value : [value]) {
      // Masking takes several times as long as reading, so yield between values (Z-12).
      await pauses.before(1, typeof each === 'string' ? each.length : 0);
      items.push(maskDeep(each, tell));
    }
    if (names.length > 0) warnings.push(`Masked in "${shown}", and not stored: ${countedForms(names)}.`);
    fields.push([shown, Array.isArray(value) ? items : items[0]]);
  }
  return { rest: Object.fromEntries(fields), masked: warnings };
}

const isRecord = (input: unknown): input is Record<string, unknown> =>
  input !== null && typeof input === 'object' && !Array.isArray(input);
