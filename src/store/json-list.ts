import { jsonIn } from '../domain/text/json.ts';

const parsed = (json: unknown) => (typeof json === 'string' ? jsonIn(json) : undefined);

/** The list that a JSON text holds; undefined when it holds none. */
export function listIn(json: unknown): unknown[] | undefined {
  const list = parsed(json);
  return Array.isArray(list) ? list : undefined;
}

/** The texts in a JSON list. One that was tampered with ends no answer: `doctor` names it. */
export function textsIn(json: unknown): string[] {
  return (listIn(json) ?? []).filter((each): each is string => typeof each === 'string');
}

/** The whole numbers in a JSON list, as {@link textsIn}. */
export function numbersIn(json: unknown): number[] {
  return (listIn(json) ?? []).filter((each): each is number => Number.isSafeInteger(each));
}

/** The names and numbers in a JSON object, as {@link textsIn}. */
export function valuesIn(json: unknown): Record<string, unknown> {
  const values = parsed(json);
  const isObject = typeof values === 'object' && values !== null && !Array.isArray(values);
  return isObject ? (values as Record<string, unknown>) : {};
}
