import * as z from 'zod';
import { viaOf } from '../../domain/via.ts';
import { listAuthors } from '../../store/lists/names.ts';
import { asOf, nameCursor, wholeNumber } from '../fields/basic.ts';
import { defineOperation } from '../operation.ts';
import { noneFields, noneOf, viewNone } from '../results/none.ts';
import { askedPageOfNames, nextCursor, shownOf } from '../results/page.ts';
import { dim, line, strong } from '../view.ts';

export const authorList = defineOperation({
  name: 'author_list',
  family: 'decisions',
  title: 'Who wrote in this memory',
  summary: 'Who wrote in this memory, with how many records, and the programs by which it was written.',
  access: 'read',
  tool: false,
  input: z.strictObject({
    limit: wholeNumber(1, 1_000, 'Authors at most').default(200),
    cursor: nameCursor(),
    asOf: asOf(),
  }),
  output: z.object({
    authors: z.array(
      z.object({
        author: z.string().describe('Empty for what nobody put a name to'),
        records: z.int(),
      }),
    ),
    total: z.int().describe('How many authors there are, shown or not'),
    programs: z.array(z.string()).describe('The programs by which it was written, without a terminal'),
    nextCursor: nextCursor(),
    ...noneFields(),
  }),
  async run(tx, given) {
    const { after, cursorTo } = askedPageOfNames(tx, 'author_list', given);
    const { rows, total, next, clients } = await listAuthors(tx, given.limit, after);
    return {
      authors: rows,
      total,
      programs: [...new Set(clients.flatMap((client) => viaOf(client) ?? []))].sort(),
      ...(next !== undefined && { nextCursor: cursorTo(next) }),
      ...(rows.length === 0 && (await noneOf(tx, { what: 'author', total }))),
    };
  },
  view: ({ authors, total, nextCursor, looked, workspace }) =>
    authors.length === 0
      ? viewNone(looked, workspace)
      : [
          ...authors.map(({ author, records }) =>
            line(
              author === '' ? dim('(nobody said)') : strong(author),
              dim(`  ${records} ${records === 1 ? 'record' : 'records'}`),
            ),
          ),
          ...shownOf(authors.length, total, nextCursor),
        ],
});
