import type { Kind } from './kind.ts';

/** Keywords come from conversations, and are counted: no log lists them, and no undo takes them back. */
export const keyword = {
  table: 'keywords',
  at: 'created_at',
  text: 'name',
} satisfies Kind<'keywords'>;
