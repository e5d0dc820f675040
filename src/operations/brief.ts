/** Those of these fields that an object has. */
export function pick<T extends object, Name extends keyof T>(of: T, ...names: Name[]): Pick<T, Name> {
  const had = names.filter((name) => name in of);
  return Object.fromEntries(had.map((name) => [name, of[name]])) as Pick<T, Name>;
}

/** An object without these fields. */
export function omit<T extends object, Name extends keyof T>(of: T, ...names: Name[]): Omit<T, Name> {
  return Object.fromEntries(Object.entries(of).filter(([name]) => !names.includes(name as Name))) as Omit<
    T,
    Name
  >;
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
