import * as z from 'zod';
import { type Camel, type CamelName, camel, camelName, snake } from './cases.ts';
import { defineOperation, type Operation } from './operation.ts';

type CamelSchema<Of> =
  Of extends z.ZodOptional<infer Inner>
    ? z.ZodOptional<CamelSchema<Inner>>
    : z.ZodType<Camel<z.output<Of>>, Camel<z.input<Of>>>;
type Document<Output extends z.ZodObject> = z.ZodObject<{
  [Name in keyof Output['shape'] as CamelName<Name & string>]: CamelSchema<Output['shape'][Name]>;
}>;

const known = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/** A schema with all of its fields in camel case. A tree contains itself, so the fields of an object are read when they are asked for. */
function camelSchema<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  const own = known.get(schema) as Schema | undefined;
  if (own) return own;
  const { def } = schema._zod as unknown as { def: z.core.$ZodTypeDef & Record<string, unknown> };
  const part = ['element', 'innerType'].find((name) => name in def);
  const changed =
    def.type === 'object'
      ? {
          get shape() {
            const shape = Object.entries(def.shape as z.core.$ZodShape);
            return Object.fromEntries(shape.map(([name, each]) => [camelName(name), camelSchema(each)]));
          },
        }
      : part && { [part]: camelSchema(def[part] as z.core.$ZodType) };
  if (!changed) return schema;
  const copy = z.core.clone(
    schema,
    Object.defineProperties({ ...def }, Object.getOwnPropertyDescriptors(changed)) as never,
  );
  const meta = z.globalRegistry.get(schema);
  if (meta) z.globalRegistry.add(copy, { ...meta, ...(meta.id && { id: `${meta.id}Document` }) });
  known.set(schema, copy);
  return copy;
}

/**
 * An operation of seeds 001 and 003, whose results are documents in camel case (D-6). It is written in snake case, as all others,
 * and mapped here alone.
 */
export function defineDocument<
  const Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
>(operation: Operation<Name, Input, Output>): Operation<Name, Input, Document<Output>> {
  const { run, runInBatch, afterCommit, toModel, view, output, ...rest } = operation;
  type Result = z.input<Document<Output>>;
  const toCamel = (result: unknown) => camel(result) as Result;
  const toSnake = (result: unknown) => snake(result) as z.output<Output>;
  return defineOperation<Name, Input, Document<Output>>({
    ...rest,
    output: camelSchema(output) as unknown as Document<Output>,
    run: async (tx, input) => toCamel(await run(tx, input)) as never,
    ...(runInBatch && { runInBatch }),
    ...(afterCommit && {
      afterCommit: async (tx, result) => toCamel(await afterCommit(tx, toSnake(result) as never)),
    }),
    ...(toModel && { toModel: (result) => toModel(toSnake(result)) }),
    ...(view && { view: (result) => view(toSnake(result)) }),
  });
}
