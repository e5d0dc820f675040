/** A text in English and in Korean. */
export type Both<Text> = [en: Text, ko: Text];

/** One beside the other, so that none is forgotten and no name is sent twice. */
export const both = <Text>(en: Text, ko: NoInfer<Text>): Both<Text> => [en, ko];

/** A table of both languages, as it is in one of them. */
export type Spoken<Table> = {
  [Name in keyof Table]: Table[Name] extends Both<infer Text> ? Text : Spoken<Table[Name]>;
};

/** @param place of the language in each pair */
export function spoken<Table extends object>(table: Table, place: 0 | 1): Spoken<Table> {
  return Object.fromEntries(
    Object.entries(table).map(([name, each]) => [
      name,
      Array.isArray(each) ? each[place] : spoken(each, place),
    ]),
  ) as Spoken<Table>;
}
