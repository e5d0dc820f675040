import { REFERENCES, type Reference } from '../../src/domain/edge.ts';

/** The links of a decision without any. The seeds name three of these keys; a link that came later is a key beside them (G-5). */
export const NO_LINKS = Object.fromEntries(REFERENCES.map((link) => [link, []])) as unknown as Record<
  Reference,
  string[]
>;
