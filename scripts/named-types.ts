import type { JSONSchema } from 'json-schema-to-typescript';
import type { JsonSchema } from '../src/operations/json-schema.ts';
import type { Variant } from '../src/operations/operation.ts';
import { limitsOf } from './limits.ts';

/** Names of records that several results share; the first of them would name them otherwise. */
const SHARED: Record<string, string> = {
  RecallEntry: 'Entry',
  MamaSaveSimilar: 'SimilarDecision',
  MamaSearchResult: 'FoundDecision',
  DecisionSaveDecision: 'Decision',
  DecisionGetVersion: 'DecisionVersion',
  DecisionGetEvidence: 'Evidence',
  DecisionGetAnchor: 'Anchor',
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
    this.#define(name, this.#inside(schema, name.replace(/(Result|Input)$/, '')));
  }

  /** A type, or one for each kind: what would always be refused does not compile (U-10), and a result is narrowed (LB-7). */
  #define(name: string, { kinds: given, ...schema }: JSONSchema): void {
    const { field, kinds } = (given as Variant | undefined) ?? { field: '', kinds: {} };
    const { properties = {}, required: always } = schema as { properties?: object; required?: string[] };
    const ofKinds = new Set([field, ...Object.values(kinds).flatMap(({ fields }) => fields)]);
    const anyOf = Object.entries(kinds).map(([value, { required, fields, isDefault }]) => {
      const own = name.replace(/(Input|Result)?$/, (end) => camel(`_${value}`) + end);
      const kept = Object.entries(properties).filter(([each]) => !ofKinds.has(each) || fields.includes(each));
      const others = [...ofKinds].filter((each) => each !== field && !fields.includes(each));
      // A result may be read before it is narrowed; an input with a field of another kind does not compile.
      const absent = name.endsWith('Input') ? [] : others.map((each) => [each, { tsType: 'undefined' }]);
      this.definitions[own] = {
        ...schema,
        properties: { [field]: { const: value }, ...Object.fromEntries([...kept, ...absent]) },
        required: [
          ...(isDefault ? [] : [field]),
          ...(always ?? []).filter((each) => !ofKinds.has(each)),
          ...required,
        ],
      };
      return { $ref: `#/definitions/${own}` };
    });
    const { description } = schema;
    this.definitions[name] = anyOf.length > 0 ? { ...(description && { description }), anyOf } : schema;
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
          Object.entries(properties).map(([field, each]) => [
            field,
            this.#nested(limited(each), name + camel(field)),
          ]),
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
    if (!(known in this.definitions)) this.#define(known, { ...(description && { description }), ...inside });
    return { $ref: `#/definitions/${known}` };
  }

  #free(name: string): string {
    let free = name;
    for (let n = 2; free in this.definitions; n++) free = `${name}${n}`;
    return free;
  }
}

/** A field whose description has its limits, default and unit, so that an editor shows them (LB-7). */
function limited(schema: JSONSchema): JSONSchema {
  const notes = [
    ...limitsOf(schema as JsonSchema),
    ...(schema.format === 'date-time' ? ['ISO 8601, in UTC'] : []),
  ].join('; ');
  if (notes === '') return schema;
  const { description } = schema;
  return { ...schema, description: description ? `${description} (${notes})` : notes };
}

function camel(field: string): string {
  return field.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/(?<!s|basi|perhap)s$/i, '');
}
