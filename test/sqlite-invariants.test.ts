import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { scratch } from './support/engines.ts';

/** Tries to break each invariant with raw SQL, behind the program's back; the database itself must refuse. */
describe('invariants held by the database', () => {
  const file = join(scratch(), 'memory.db');
  let database: DatabaseSync;
  let [a1, a2, b1] = ['', '', ''];

  before(async () => {
    const memory = await openMemory({ db: file });
    a1 = (await memory.mama.save({ topic: 'a', decision: 'A1', evidence: ['e'] })).id;
    a2 = (await memory.mama.save({ topic: 'a', decision: 'A2' })).id;
    b1 = (await memory.mama.save({ topic: 'b', decision: 'B1', reasoning: `builds_on: ${a1}` })).id;
    await memory.close();
    database = new DatabaseSync(file, { enableForeignKeyConstraints: true });
  });

  /** Inserts a copy of A2 with some columns changed, under its own record. */
  function insert(columns: Record<string, string | number | null>): void {
    const record = database.prepare(
      "insert into records (kind, writer, session) values ('decision', 1, 1) returning seq",
    );
    const base = database.prepare('select * from decisions where id = ?').get(a2);
    const seq = record.get()?.seq ?? null;
    const row = { ...base, seq, id: crypto.randomUUID(), topic: null, ...columns };
    const names = Object.keys(row);
    database
      .prepare(`insert into decisions (${names}) values (${names.map(() => '?')})`)
      .run(...Object.values(row));
  }

  const refused = (reason: RegExp, attempt: () => void) => assert.throws(attempt, { message: reason });
  const next = () => ({ version: 3, previous_version: 2, previous_version_id: a2 });

  it('a copy that breaks nothing is accepted: the refusals below are not accidents', () => {
    insert({ ...next(), is_active: 0 });
    database.prepare('delete from decisions where version = 3').run();
  });

  const cases: [string, RegExp, () => Record<string, string | number | null>][] = [
    ['[D-3] two versions with one number', /UNIQUE.*root_id, .*version/, () => ({ is_active: 0 })],
    ['[D-3] two active versions of a chain', /UNIQUE.*root_id/, next],
    [
      '[D-2] a first version whose root is another decision',
      /CHECK/,
      () => ({ version: 1, previous_version: null, previous_version_id: null, is_active: 0 }),
    ],
    [
      '[D-2] a later version that is its own root',
      /CHECK/,
      () => ({ ...next(), id: 'self', root_id: 'self', is_active: 0 }),
    ],
    ['[D-4] a first version with a previous one', /CHECK/, () => ({ version: 1, previous_version: 0 })],
    [
      '[D-4] a later version without a previous one',
      /CHECK/,
      () => ({ ...next(), previous_version_id: null, is_active: 0 }),
    ],
    [
      '[D-4] a previous version that is not the one directly before',
      /FOREIGN KEY/,
      () => ({ ...next(), previous_version_id: a1, is_active: 0 }),
    ],
    [
      '[D-4] a version number that skips one',
      /CHECK/,
      () => ({ version: 4, previous_version: 2, previous_version_id: a2, is_active: 0 }),
    ],
    [
      '[D-4] a previous version out of another chain',
      /FOREIGN KEY/,
      () => ({ version: 2, previous_version: 1, previous_version_id: a1, root_id: b1, is_active: 0 }),
    ],
    ['a root that does not exist', /FOREIGN KEY/, () => ({ ...next(), root_id: 'nope', is_active: 0 })],
    ['an unknown strength', /CHECK/, () => ({ ...next(), is_active: 0, strength: 'hard' })],
    ['an unknown outcome', /CHECK/, () => ({ ...next(), is_active: 0, outcome: 'FAILED' })],
    ['confidence above 1', /CHECK/, () => ({ ...next(), is_active: 0, confidence: 1.01 })],
    ['confidence below 0', /CHECK/, () => ({ ...next(), is_active: 0, confidence: -0.01 })],
    ['a blank text', /CHECK/, () => ({ ...next(), is_active: 0, text: '  ' })],
    ['[D-15] a withdrawn version that is active', /CHECK/, () => ({ ...next(), withdrawn: 1 })],
    [
      'a decision that is in no list of records',
      /FOREIGN KEY/,
      () => ({ ...next(), is_active: 0, seq: 9999 }),
    ],
  ];
  for (const [what, reason, columns] of cases) {
    it(`${what} is refused`, () => refused(reason, () => insert(columns())));
  }

  it('[D-13] a decision that anything refers to cannot be deleted', () => {
    refused(/FOREIGN KEY/, () => database.prepare('delete from decisions where id = ?').run(a1));
  });

  it('[D-19] a name leads to one chain that exists, and one spelling to one name', () => {
    const name = (name: string, key: string | null, root: string) => () =>
      database.prepare('insert into topics values (?, ?, ?, 0)').run(name, key, root);
    refused(/UNIQUE.*name/, name('a', null, b1));
    refused(/UNIQUE.*key/, name('A', 'a', b1));
    refused(/FOREIGN KEY/, name('c', 'c', 'nope'));
    name('A', null, b1)();
    database.prepare("delete from topics where name = 'A'").run();
    const scope = database.prepare("insert into scopes values (?, ?, 'a', 0)");
    refused(/UNIQUE.*name/, () => scope.run('a', null));
    refused(/UNIQUE.*key/, () => scope.run('A', 'a'));
  });

  it('[K-4] what does not say who wrote it is refused', () => {
    const tables = [
      'records (kind)',
      'changes (kind, created_at)',
      'relations (from_id, to_id, type, created_at)',
    ];
    for (const table of tables) {
      const values = table.replace(/.*\(/, '').replace(/\w+/g, (_, at) => String(at));
      refused(/FOREIGN KEY|NOT NULL/, () => database.prepare(`insert into ${table} values (${values}`).run());
    }
    const record = database.prepare("insert into records (kind, writer, session) values ('memo', ?, 1)");
    refused(/FOREIGN KEY/, () => record.run(99));
  });

  it('[G-8] edges: one of each kind between two decisions, of the closed four, never to itself or to nothing', () => {
    const edge = (from: string, to: string, relationship: string) => () =>
      database.prepare('insert into decision_edges values (?, ?, ?, 0)').run(from, to, relationship);
    refused(/UNIQUE/, edge(b1, a1, 'builds_on'));
    refused(/CHECK/, edge(b1, a1, 'refines'));
    refused(/CHECK/, edge(b1, b1, 'debates'));
    refused(/FOREIGN KEY/, edge(b1, 'nope', 'debates'));
    refused(/FOREIGN KEY/, edge('nope', b1, 'debates'));
    const plan = (column: string) =>
      String(
        database.prepare(`explain query plan select * from decision_edges where ${column} = 'x'`).get()
          ?.detail,
      );
    assert.match(plan('from_id'), /SEARCH/);
    assert.match(plan('to_id'), /SEARCH/);
  });

  it('[D-7] evidence without a decision, or for one that does not exist, is refused', () => {
    const record = () =>
      database
        .prepare("insert into records (kind, writer, session) values ('evidence', 1, 1) returning seq")
        .get()?.seq as number;
    const evidence = (decisionRef: string | null) => () =>
      database
        .prepare("insert into evidence (seq, id, decision_ref, content, timestamp) values (?, ?, ?, 'x', 0)")
        .run(record(), crypto.randomUUID(), decisionRef);
    refused(/NOT NULL/, evidence(null));
    refused(/FOREIGN KEY/, evidence('nope'));
  });

  it('[D-8] an anchor has exactly one target, of its type, that exists', () => {
    const evidenceId = String(database.prepare('select id from evidence').get()?.id);
    const anchor = (type: string, decision: string | null, evidence: string | null) => () => {
      const seq = database
        .prepare("insert into records (kind, writer, session) values ('anchor', 1, 1) returning seq")
        .get()?.seq as number;
      database
        .prepare(
          "insert into anchors (seq, id, hint, type, decision_ref, evidence_ref, created_at) values (?, ?, 'h', ?, ?, ?, 0)",
        )
        .run(seq, crypto.randomUUID(), type, decision, evidence);
    };
    refused(/CHECK/, anchor('decision_link', null, null));
    refused(/CHECK/, anchor('decision_link', a1, evidenceId));
    refused(/CHECK/, anchor('decision_link', null, evidenceId));
    refused(/CHECK/, anchor('evidence_link', a1, null));
    refused(/CHECK/, anchor('link', a1, null));
    refused(/FOREIGN KEY/, anchor('decision_link', 'nope', null));
  });

  it('[M-2] [M-4] [M-9] keywords and memos: no second link, no relation to itself, no text too long', () => {
    const record = (kind: string) =>
      database.prepare('insert into records (kind, writer, session) values (?, 1, 1) returning seq').get(kind)
        ?.seq as number;
    const keyword = (name: string) => {
      const seq = record('keyword');
      database
        .prepare('insert into keywords (seq, name, visits, created_at, last_visited) values (?, ?, 0, 0, 0)')
        .run(seq, name);
      return seq;
    };
    const memo = (summary: string, fullText: string) => {
      const seq = record('memo');
      database
        .prepare(
          "insert into memos (seq, id, summary, full_text, source, search_depth, created_at) values (?, ?, ?, ?, 'Memo', 0, 0)",
        )
        .run(seq, crypto.randomUUID(), summary, fullText);
      return seq;
    };
    const [one, two] = [keyword('one'), keyword('two')];
    const relate = (from: number, to: number, type: string) => () =>
      database.prepare('insert into keyword_relations values (?, ?, ?, 1, 0, 0)').run(from, to, type);
    refused(/UNIQUE/, () => keyword('one'));
    refused(/CHECK/, () => keyword(' '));
    relate(one, two, 'CO_OCCURS')();
    refused(/UNIQUE/, relate(one, two, 'CO_OCCURS'));
    refused(/CHECK/, relate(two, one, 'CO_OCCURS'));
    relate(two, one, 'FOLLOWED_BY')();
    refused(/CHECK/, relate(one, one, 'FOLLOWED_BY'));
    refused(/CHECK/, relate(one, two, 'LIKES'));
    refused(/FOREIGN KEY/, relate(one, 9_999, 'FOLLOWED_BY'));

    const note = memo('🙂'.repeat(200), '벽'.repeat(500));
    refused(/CHECK/, () => memo('a'.repeat(201), 'x'));
    refused(/CHECK/, () => memo('x', 'a'.repeat(501)));
    refused(/CHECK/, () => memo('', 'x'));
    const link = (depth: number, via: number | null) => () =>
      database.prepare('insert into memo_links values (?, ?, ?, ?, 0)').run(note, two, depth, via);
    refused(/CHECK/, link(0, one));
    refused(/CHECK/, link(1, null));
    link(0, null)();
    refused(/UNIQUE/, link(1, one));
  });

  it('[D-6] columns are in snake case', () => {
    const columns = database.prepare("select name from pragma_table_info('decisions')").all();
    assert(columns.some((column) => column.name === 'previous_version_id'));
    assert(columns.every((column) => /^[a-z_]+$/.test(String(column.name))));
  });
});
