import type { CommandSpec } from '../catalogue/spec.ts';

/** The operation's name at the start of a refusal, which is left out: whoever typed the command knows it. */
const OPERATION = /^[a-z]+(?:_[a-z]+)*: (?=Expected )/;
/** The refused field, with the index in a list. */
const FIELD = /(?<=^Expected )"([A-Za-z_]+)(?:\.\d+)?"/;
/** The name of an operation, with its command if the text has it already. Quoted text is a person's, and stays. */
const NAMES =
  /"[^"]*"|“[^”]*”|\b[a-z_]+(?:, then [a-z_]+)? \((?<shown>"precedent [^"]+")\)|\b(?<name>[a-z]+(?:_[a-z]+)+)\b/g;

/** A field with its value, in the form for models. Other quoted text is a person's, and stays. */
const GIVEN = /“[^”]*”|\b(?<field>replaces|reasoning): "(?<value>[^"]+)"/g;

/** A refusal in the words of the command line: the option that was typed, not the field of the operation (U-8). */
export function inOwnWords(
  message: string,
  spec: CommandSpec | undefined,
  catalogue: readonly CommandSpec[],
): string {
  const refused = message.replace(OPERATION, '').replace(FIELD, (_, field: string) => {
    const option = spec?.options.find((each) => plain(each.field) === plain(field) && !each.hidden);
    const argument = spec?.arguments.find((each) => plain(each.field) === plain(field));
    return option && option.name !== field ? `--${option.name}` : `"${argument?.name ?? field}"`;
  });
  const typed = refused.replace(GIVEN, (all, ...matched) => {
    const { field, value } = matched.at(-1) as { field?: string; value?: string };
    return field === undefined ? all : `--${field} ${value}`;
  });
  // A command that is not an operation means the operations' own names.
  return spec?.operation ? withCommands(typed, catalogue) : typed;
}

/** A text with each operation's name replaced by its command: `mem_relate` is "precedent relate" (U-8). */
export function withCommands(text: string, catalogue: readonly CommandSpec[]): string {
  return text.replace(NAMES, (all, ...matched) => {
    const { shown, name } = matched.at(-1) as { shown?: string; name?: string };
    const command = name && commandOf(name, catalogue);
    return command ? `"precedent ${command}"` : (shown ?? all);
  });
}

/** The words that are typed for an operation. */
function commandOf(name: string, catalogue: readonly CommandSpec[]): string | undefined {
  const isOf = ({ operation, instead }: CommandSpec) => operation?.name === name || instead?.includes(name);
  const [own] = catalogue.filter(isOf);
  const other = catalogue
    .flatMap(({ words, ways = [] }) => ways.map((way) => ({ words, ...way })))
    .find(({ operation }) => operation.name === name);
  if (!other || own?.words[0] !== 'tool') return own?.words.join(' ');
  return [...other.words, ...(other.when ?? []).slice(0, 1).map((each) => `--${each}`)].join(' ');
}

/** A field of an operation, however it is spelt: `as_of` or `asOf`. */
const plain = (field: string) => field.replaceAll('_', '').toLowerCase();
