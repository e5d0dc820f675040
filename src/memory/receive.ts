import { redactDeep } from '../domain/text/redaction.ts';
import { cutSequences } from '../domain/text/terminal.ts';
import { parseInput } from '../operations/input.ts';
import type { Operation } from '../operations/operation.ts';

/** An input as an operation takes it. */
interface Received {
  given: Record<string, unknown>;
  /** What the caller is told of its texts. */
  warnings: string[];
}

/**
 * Makes an input fit to be kept, before anything else sees it: terminal sequences are cut (K-7), and what is private in a
 * write is redacted, so that it is in no error message, no log and no table (D-16).
 * @throws PrecedentError `invalid`
 */
export function receive(operation: Operation, input: unknown): Received {
  const isWrite = operation.access === 'write';
  const redacted = isWrite ? redactDeep(input) : input;
  const { rest, cut } = cutFromFields(redacted);
  if (cut.length === 0) return { given: parseInput(operation, redacted), warnings: [] };
  // A tag may come into being where a sequence stood in it; one inside a sequence was redacted with what follows it.
  return { given: parseInput(operation, isWrite ? redactDeep(rest) : rest), warnings: isWrite ? cut : [] };
}

/** Fields are texts or lists of texts; any other value is left to the schema. */
function cutFromFields(input: unknown): { rest: unknown; cut: string[] } {
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return { rest: input, cut: [] };
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
