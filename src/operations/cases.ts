export type CamelName<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelName<Rest>>}`
  : Name;
/** A value with its fields in camel case. */
export type Camel<Of> = Of extends readonly (infer Each)[]
  ? Camel<Each>[]
  : Of extends object
    ? { [Name in keyof Of as CamelName<Name>]: Camel<Of[Name]> }
    : Of;
type SnakeName<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeName<Rest>}`
  : Name;
/** A value with its fields in snake case. */
export type Snake<Of> = Of extends readonly (infer Each)[]
  ? Snake<Each>[]
  : Of extends object
    ? { [Name in keyof Of as SnakeName<Name>]: Snake<Of[Name]> }
    : Of;

export const camelName = (name: string) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const snakeName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A field whose names are ids. */
const REFS = 'refs';

/** A value with all of its fields named otherwise. */
function renamed(value: unknown, nameOf: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, nameOf));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, own]) => [nameOf(name), name === REFS ? own : renamed(own, nameOf)]),
  );
}

export const camel = <Of>(of: Of) => renamed(of, camelName) as Camel<Of>;
export const snake = <Of>(of: Of) => renamed(of, snakeName) as Snake<Of>;
