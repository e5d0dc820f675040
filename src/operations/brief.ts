/** These fields of an object. */
export function pick<T, Name extends keyof T>(of: T, ...names: Name[]): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, of[name]])) as Pick<T, Name>;
}

/** The name of a field in `mama_*` operations: MAMA calls the text of a decision so. */
type InRow<Name extends string> = Name extends 'text' ? 'decision' : Snake<Name>;
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;
type Row<Of> = { [Name in keyof Of as InRow<Name & string>]: Of[Name] };

/** A record of the other operations, or its shape, with the names that `mama_*` operations have for its fields. */
export function toRow<Of extends object>(of: Of): Row<Of> {
  const named = (name: string) =>
    name === 'text' ? 'decision' : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [named(name), value])) as Row<Of>;
}

/** An object without what tells nothing: undefined, null, and empty lists. */
export function compact<T extends object>(value: T): Partial<T> {
  const telling = Object.entries(value).filter(
    ([, member]) =>
      member !== undefined && member !== null && !(Array.isArray(member) && member.length === 0),
  );
  return Object.fromEntries(telling) as Partial<T>;
}

/** A scope, where the topic does not name it already: `auth` of `auth:token` does. */
export function telltaleScope(
  scope: string | undefined,
  topic: string | null | undefined,
): string | undefined {
  return topic?.split(':')[0] === scope ? undefined : scope;
}

/** A strength, where it is more than what goes without saying. */
export function telltaleStrength<Strength extends string>(
  strength: Strength | undefined,
): Exclude<Strength, 'normal'> | undefined {
  return strength === 'normal' ? undefined : (strength as Exclude<Strength, 'normal'> | undefined);
}

/** A result with ids as a model reads them: a whole one takes 22 tokens. @param refs the beginning of each, by id */
export function withRefs<Result>(result: Result, refs: Readonly<Record<string, string>>): Result {
  return JSON.parse(JSON.stringify(result), (_, value) =>
    typeof value === 'string' ? (refs[value] ?? value) : value,
  );
}
