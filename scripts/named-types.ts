import type { JSONSchema } from 'json-schema-to-typescript';
import type { Variant } from '../src/operations/operation.ts';

/** Names of records that several results share; the first of them would name them otherwise. */
const SHARED: Record<string, string> = {
  RecallEntry: 'Entry',
  MamaSaveSimilar: 'SimilarDecision',
  MamaSearchResult: 'FoundDecision',
  DecisionSaveDecision: 'Decision',
  DecisionGetVersion: 'DecisionVersion',
  DecisionGetEvidence: 'Evidence',
  DecisionGetAnchor: 'Anchor',
  DecisionGetOutcome: 'Outcome',
  MemSearchResult: 'FoundObservation',
};

/** Schemas with a name for every object in them; those that are alike have one. */
export class NamedTypes {
  readonly definitions: Record<string, JSONSchema> = {};
  readonly #names = new Map<string, string>();

  /** @param name of the type; what is inside is named after it and the field */
  add(name: string, { $defs, definitions = $defs, $schema: _, ...schema }: JSONSchema): void {
    for (const [key, each] of Object.entries((definitions ?? {}) as Record<string, JSONSchema>))
      this.definitions[key] = this.#inside(each, key);
    this.definitions[name] = this.#inside(schema, name.replace(/(Result|Input)$/, ''));
  }

  /** A type for each kind of input that is taken: what would always be refused does not compile (U-10). */
  addUnion(name: string, schema: JSONSchema, { field, kinds }: Variant): void {
    const all = Object.entries(kinds).map(([value, { required, fields, isDefault }]) => {
      const own = name.replace(/Input$/, `${value.charAt(0).toUpperCase()}${value.slice(1)}Input`);
      const kept = [field, ...fields].map((each) => [each, schema.properties?.[each] as JSONSchema]);
      const properties = { ...Object.fromEntries(kept), [field]: { const: value } };
      this.add(own, { ...schema, properties, required: [...(isDefault ? [] : [field]), ...required] });
      return { $ref: `#/definitions/${own}` };
    });
    this.definitions[name] = { anyOf: all };
  }

  /** A schema whose objects are references to types of their own. */
  #inside(schema: JSONSchema, name: string): JSONSchema {
    const { properties, items, anyOf, $ref } = schema;
    if ($ref) return { ...schema, $ref: $ref.replace('#/$defs/', '#/definitions/') };
    return {
      ...schema,
      ...(anyOf && { anyOf: anyOf.map((each) => this.#nested(each, name)) }),
      ...(items &&
        !Array.isArray(items) &&
        typeof items === 'object' && { items: this.#nested(items, singular(name)) }),
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([field, each]) => [field, this.#nested(each, name + camel(field))]),
        ),
      }),
    };
  }

  #nested(schema: JSONSchema, name: string): JSONSchema {
    const { description, ...inside } = this.#inside(schema, name);
    if (!inside.properties) return { ...(description && { description }), ...inside };
    const content = JSON.stringify(inside);
    const known = this.#names.get(content) ?? this.#free(SHARED[name] ?? name);
    this.#names.set(content, known);
    // Beside a reference the generator would take it for another type.
    this.definitions[known] ??= { ...(description && { description }), ...inside };
    return { $ref: `#/definitions/${known}` };
  }

  #free(name: string): string {
    let free = name;
    for (let n = 2; free in this.definitions; n++) free = `${name}${n}`;
    return free;
  }
}

function camel(field: string): string {
  return field.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/(?<![s])s$/, '');
}
