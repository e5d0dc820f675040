import type { CommandSpec } from '../catalogue/spec.ts';

/** Whoever typed a command knows its name: a refusal need not begin with that of the operation. */
const OPERATION = /^[a-z]+(?:_[a-z]+)*: (?=Expected )/;
/** The field that is refused, and the place in it where it is a list. */
const FIELD = /(?<=^Expected )"([A-Za-z_]+)(?:\.\d+)?"/;

/** A refusal in the words of the command line: the option that was typed, not the field of the operation (U-8). */
export function inOwnWords(message: string, spec: CommandSpec | undefined): string {
  return message.replace(OPERATION, '').replace(FIELD, (_, field: string) => {
    const option = spec?.options.find((each) => plain(each.field) === plain(field) && !each.hidden);
    return option && option.name !== field ? `--${option.name}` : `"${field}"`;
  });
}

/** A field of an operation, however it is spelt: `as_of` or `asOf`. */
const plain = (field: string) => field.replaceAll('_', '').toLowerCase();
