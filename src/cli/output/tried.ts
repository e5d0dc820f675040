import type { Tried } from '../../domain/ranking/meaning.ts';
import { type Span, warn } from '../../operations/view.ts';

/** How a model did, and what follows. */
export function triedText({ asked, found, weight }: Tried, model = 'the model'): Span {
  const did = `${model} finds ${found} of ${asked} records by their titles`;
  return weight === 0
    ? warn(`${did}: it is ignored, and searches go by words`)
    : `${did}: meaning counts up to ${weight} times as much as words`;
}
