import { FIELDS } from '../src/domain/decision.ts';
import { LONGEST_KEPT, newestFormat, OPTIONAL, RULES } from '../src/sync/check.ts';
import type { Kind } from '../src/sync/facts.ts';
import { MOST_KEPT } from '../src/sync/kept.ts';
import { LONGEST_LINE, MOST_LINES } from '../src/sync/segment.ts';
import { asked, factSchema, rulesOf } from './facts-schema.ts';

const BY = 'its writer: author, host, client and session, each empty if unknown';
const DECISION = 'id of the decision';
const IDS = { from: 'id of the one that it leads from', to: 'id of the one that it leads to' };

/** The meaning of the fields of each kind, besides the id and the date. */
const MEANINGS: Record<
  Kind,
  { is: string; id: string; at: string; waits: string; fields: Record<string, string> }
> = {
  decision: {
    is: 'One version of a decision. It never changes.',
    id: 'a UUID, or the id that it had where it was imported from',
    at: 'when it was decided',
    waits: 'a withdrawal waits for a version that `basedOn` names; any other version waits for nothing',
    fields: {
      ...Object.fromEntries(
        Object.entries(FIELDS).map(([name, { about }]) => [name, about.split('. ')[0] ?? '']),
      ),
      topic: 'its name; null for a decision without a topic',
      basedOn:
        'ids of the versions that its author saw as the newest, a line each: the one before it first, then those that it settles',
      tidies: 'id of the version whose author, date and outcome it keeps: it changes wording or place only',
      withdrawn: '1 for a version that withdraws the decision',
      by: BY,
    },
  },
  outcome: {
    is: 'How a decision turned out. All are kept; the latest that was not undone counts.',
    id: 'a UUID',
    at: 'when it was recorded',
    waits: 'its decision',
    fields: { decision: DECISION, outcome: 'how it went', reason: 'why', by: BY },
  },
  evidence: {
    is: 'A ground of a decision.',
    id: 'a UUID, or that of its origin',
    at: 'the same as `timestamp`',
    waits: 'its decision',
    fields: { decision: DECISION, content: 'its text', timestamp: 'when it was recorded', by: BY },
  },
  anchor: {
    is: 'A reminder on a decision or on evidence.',
    id: 'a UUID, or that of its origin',
    at: 'when it was recorded',
    waits: 'its target',
    fields: {
      hint: 'its text',
      type: 'which of the two targets it has',
      decision: 'id of its target; null with `evidence_link`',
      evidence: 'id of its target; null with `decision_link`',
      by: BY,
    },
  },
  link: {
    is: 'A link between two decisions. `supersedes` follows from the versions, and is refused.',
    id: '`from`, `relationship` and `to`, with blanks between them',
    at: 'when it was made',
    waits: 'both ends',
    fields: { ...IDS, relationship: 'its kind' },
  },
  observation: {
    is: 'A note. Its texts and its place are facts of their own.',
    id: 'a UUID',
    at: 'when it was saved',
    waits: 'a `text`',
    fields: { by: 'the writer of its first save, as above' },
  },
  text: {
    is: 'One text that a note has or had. The latest is its text, the others are its history.',
    id: 'the id of the note, `@`, `at`, and `.1`, `.2` … for more texts of one moment',
    at: 'since when it was the text',
    waits: 'its note',
    fields: {
      observation: 'id of the note',
      title: 'its title',
      content: 'its text',
      type: 'a word such as "decision" or "bugfix"',
      by: BY,
    },
  },
  place: {
    is: 'Where a note is now, and whether it is deleted. The latest counts.',
    id: 'the id of the note',
    at: 'since when',
    waits: 'its note',
    fields: {
      project: 'its project; empty for none',
      scope: 'its scope',
      topicKey:
        'the key by which a later save replaces its text. If another note has that key, each machine keeps its own',
      deletedAt: 'when it was deleted, so that it can be restored; null if it was not',
    },
  },
  relation: {
    is: 'A relation of two notes. Of two of one type between the same notes the later counts, or the one with the larger id.',
    id: 'a UUID',
    at: 'when it was made',
    waits: 'both notes',
    fields: { ...IDS, type: 'its type', note: 'what was said of it', by: BY },
  },
  mark: {
    is: 'Whether a record was undone. The latest counts. A note has `place` instead.',
    id: 'the id of the record: a decision, an outcome, evidence or an anchor',
    at: 'when it was undone, or active again',
    waits: 'its record; with `gone`, also the version that takes the place of an active one',
    fields: { gone: 'true if it was undone', by: BY },
  },
  called: {
    is: 'A renaming of a topic. The latest counts; every earlier name still leads to the topic.',
    id: 'a UUID, or the id of the decision, `@` and `at`',
    at: 'when it was renamed',
    waits: 'its decision',
    fields: {
      decision: 'id of a version of the topic',
      topic: 'its new name',
      was: 'its name until then',
      gone: 'true if the renaming was undone, so that `was` no longer leads to it',
      by: BY,
    },
  },
  joined: {
    is: 'Two topics that are one, because they shared a name on some machine.',
    id: '`from` and `to`, with a blank between them',
    at: 'the date of `from`',
    waits: 'both versions',
    fields: { from: 'id of a first version', to: 'id of the first version of the topic that it belongs to' },
  },
  erased: {
    is: 'A note or a relation that was deleted for good. Every fact with this id, and every fact of the note, is removed wherever it is found, and does not come back.',
    id: 'the id of the note or the relation',
    at: 'when it was deleted',
    waits: 'nothing',
    fields: {},
  },
};

/** The type of a field in words. */
function typeOf(rule: NonNullable<ReturnType<typeof rulesOf>[number][1]>): string {
  const { types, longest } = asked(rule);
  return types
    .map((type) => {
      if (Array.isArray(type.enum)) return type.enum.map((each) => `\`${each}\``).join(', ');
      if (type.type === 'null') return 'or null';
      if (type.type === 'array') return `four names of at most ${longest?.toLocaleString('en')}`;
      if (type.type === 'boolean') return '`true`, `false`';
      if (type.type === 'number') return `${type.minimum} to ${type.maximum}`;
      if (type.type === 'integer') return 'date';
      if (type.pattern) return 'day';
      const kind = rule.text === 'words' ? 'text' : rule.text;
      return longest ? `${kind}, ${longest.toLocaleString('en')}` : String(kind);
    })
    .join(' ');
}

function section(kind: Kind): string {
  const { is, id, at, waits, fields } = MEANINGS[kind];
  const rows = rulesOf(kind)
    .filter(([field]) => field !== 'id' && field !== 'at')
    .map(([field, rule]) => {
      const meaning = fields[field];
      if (meaning === undefined) throw new Error(`say what ${kind}.${field} means in scripts/facts-page.ts`);
      const optional = OPTIONAL.includes(field) ? '; may be absent' : '';
      return `| \`${field}\` | ${rule ? typeOf(rule) : 'text'}${optional} | ${meaning} |`;
    });
  return [
    `### \`${kind}\``,
    is,
    [
      '| field | type | meaning |',
      '| --- | --- | --- |',
      `| \`id\` | | ${id} |`,
      `| \`at\` | date | ${at} |`,
      ...rows,
    ].join('\n'),
    `Waits for: ${waits}.`,
  ].join('\n\n');
}

const PAGE = `# Reference: facts

Made from \`src/sync/check.ts\` and \`scripts/facts-page.ts\` by \`npm run reference\`; \`npm run check\` fails when it is
stale. This is version ${newestFormat()} of the format that travels when memories are [synced](../syncing.md) by a folder, a
branch or a server. [facts.schema.json](facts.schema.json) is a JSON schema of one line (draft 2020-12).

## A line

A fact is one line of JSON in UTF-8, at most ${LONGEST_LINE / 2 ** 20} MB and 100 values long. Precedent writes its keys sorted, without
blanks; a reader takes them in any order. An empty line means nothing.

\`\`\`json
{"at":1760000000000,"by":["Kim","laptop","cli",""],"f":1,"gone":true,"id":"3f2a9c11-0000-4000-8000-000000000000","k":"mark"}
\`\`\`

| key | meaning |
| --- | --- |
| \`f\` | version of the format |
| \`k\` | kind of the fact |
| \`id\` | together with \`k\` it says which fact this is |
| \`at\` | its date |

The types below:

| type | meaning |
| --- | --- |
| date | milliseconds UTC, a whole number from -8.64e15 to 2^52 |
| id | at most 200 characters, without control characters, blanks around it or \`..\` as a part of a path; no number, and not the beginning of a name such as \`writer:\` |
| text, name | not blank, with the longest length in characters. A text with \`[REDACTED]\` in it may be longer. A name is in NFC, without blanks around it |
| day | such as \`2027-03-01\` |

No text holds NUL, half of a surrogate pair, or a \`<private>\` part.

## Where lines are

**In a folder or on a branch.** Each machine has a folder named after it (\`[a-z0-9-]{3,40}\`), and in it segments.
A segment holds facts of one machine, a line each, and has no other first line. It is named after its content: the first 32
hexadecimal digits of the SHA-256 of its bytes, and \`.jsonl\`. A file whose name does not fit its content is
incomplete or was altered: it is left out whole, and its machine writes those facts again. Write a segment under
another name and rename it. It has at most 64 MB and ${MOST_LINES.toLocaleString('en')} lines. Other files are not read.

**From a server.** \`GET /api/v1/MEMORY/sync\` answers with one line, then facts, a line each:
\`{"machine":"m-…","after":"…","isWhole":true}\`. With \`?after=\` and the \`after\` of the last answer it sends only what is
new since, and says \`"isWhole":false\`; otherwise it sends everything.

**To a server.** \`POST\` takes facts, a line each, compressed with gzip, at most 64 MB unpacked, and answers
\`{"before":"…","after":"…","warnings":[…]}\`. If \`before\` is the \`after\` of your last \`GET\`, go on with the new
\`after\`; otherwise somebody else wrote meanwhile. Both need a token with the right \`sync\`.

The name of a segment is its checksum. Over a server gzip has one, and git has its own besides.

## Which of two counts

1. Of two facts with the same \`k\` and \`id\`, the one with the later \`at\` counts; of equal dates, the one whose line
   without \`f\` is greater as a text in UTF-16.
2. Except \`place\` and \`mark\`, which say how a record is now, a fact is written once. A second one with another \`text\` is
   left out and reported. Other fields of a record that is already here stay as they are.
3. A redaction counts whatever its date: if a text of one fact is that of the other with parts replaced by
   \`[REDACTED]\`, the redacted text counts. If both are redacted differently, the text is \`[REDACTED]\` as a whole. A
   redacted name is \`[REDACTED]\` and a few characters.
4. \`erased\` counts over everything, whenever it comes.
5. An id belongs to one kind of record. The second to come is left out.

The order in which facts come does not matter. Records of one moment should keep their order within a
segment, since lists show it.

## What waits

A fact that names a record which has not come yet waits for it: the reader leaves it out, and takes it in once the record
is there. Nothing waits in vain: a fact may come before or after what it needs, in any segment.

## What is refused

A fact is checked whole. If a field is missing, of another type or out of its limits, the fact is left out and
reported, and nothing else is. The schema cannot say these rules:

- an \`id\` that is made of other fields matches them;
- \`from\` and \`to\` differ, and an anchor has exactly one target, of its type;
- \`revisit\` is a day of the calendar, and \`files\` holds [patterns](../domain.md) that can be matched in bounded time;
- a name is in NFC.

Secrets in a [known form](../domain.md#what-is-private) are masked.

## A newer version

A version of Precedent may add a kind or a field: \`f\` stays. Only a change of what a known field may hold or means raises
\`f\`, and only of the facts that have it: \`f\` is the oldest version that can read the fact. A program does this with what it
does not know:

| it finds | it |
| --- | --- |
| a kind that it does not know, or a higher \`f\` | keeps the fact whole, sends it on, and takes nothing from it |
| a field that it does not know | takes in the fact, and keeps the field with it |

- A field that is null and a field that is absent say the same. The name of a field is a letter, then letters, digits
  and \`_\`, at most 40.
- A \`place\` or a \`mark\` keeps such fields when an older program changes it, until a program that knows them changes
  them. A fact that is already here gets none from elsewhere.
- Of two kept facts with the same \`f\`, \`k\` and \`id\` the later counts.
- Of one fact at most ${LONGEST_KEPT.toLocaleString('en')} characters are kept, and an id of at most 500. A memory keeps at most ${MOST_KEPT.toLocaleString('en')} such facts.
  More than that is left out and reported.
- A redaction reaches them: all texts that \`precedent redact\` removes are removed from them too. With a note that is
  deleted for good, every fact goes that names it in \`observation\`. Ids and names of fields are never redacted.
- \`precedent doctor\` counts them. After an update the next sync reads them, and nothing has to be sent again.

So a new kind names a note in \`observation\`, and no text in its \`id\`.

## Kinds
`;

/** The page and the schema of the format of facts. */
export function factPages(folder: string): [path: string, text: string][] {
  const text = [PAGE.trim(), ...(Object.keys(RULES) as Kind[]).map(section), ''].join('\n\n');
  return [
    [`${folder}/facts.md`, text],
    [`${folder}/facts.schema.json`, `${JSON.stringify(factSchema(), null, 2)}\n`],
  ];
}
