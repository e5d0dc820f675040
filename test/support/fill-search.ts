import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { foldName } from '../../src/domain/text/text.ts';
import { addWriter } from './fill-writer.ts';
import { generator } from './random.ts';

const VOCABULARY = 30_000;
const SESSION = 20;
const SCOPES = 12;
const PROJECTS = 8;
/** Records of a transaction: a log of ten million would be as large as the file. */
const AT_ONCE = 100_000;

/**
 * Fills an empty memory with `count` records, the same in every run: decisions and observations in turns, in sessions of
 * twenty, of 30 to 60 words that are as frequent as words are (Zipf). Every third chain has two to four versions. In
 * raw SQL: it is for a million.
 */
export function fillSearch(database: DatabaseSync, count: number): void {
  const record = database.prepare('insert into records (seq, kind, writer, session) values (?, ?, ?, ?)');
  const decision = database.prepare(
    `insert into decisions (seq, id, root_id, version, previous_version, previous_version_id, topic, text, strength,
      scope, confidence, is_active, withdrawn, created_at, updated_at, based_on)
      values (?, ?, ?, ?, ?, ?, ?, ?, 'normal', ?, 0.5, ?, 0, ?, ?, ?)`,
  );
  const topic = database.prepare('insert into topics (name, key, root_id, since) values (?, ?, ?, ?)');
  const scope = database.prepare(
    'insert or ignore into scopes (name, key, scope, since) values (?, ?, ?, ?)',
  );
  const edge = database.prepare('insert into decision_edges values (?, ?, ?, ?)');
  const observation = database.prepare(
    `insert into observations (seq, title, content, content_hash, type, project, scope, revision_count,
      duplicate_count, created_at, updated_at, last_seen_at, writer)
      values (?, ?, ?, ?, 'manual', ?, 'project', 0, 0, ?, ?, ?, ?)`,
  );
  const relation = database.prepare(
    "insert or ignore into relations (from_id, to_id, type, created_at, writer) values (?, ?, 'relates_to', 0, 1)",
  );
  const document = database.prepare('insert into search_text (rowid, title, body) values (?, ?, ?)');
  const random = generator(1);
  const words = zipf(random);
  const text = (least: number, most: number) =>
    Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, words).join(' ');
  const id = (seq: number) => `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`;
  const versionsOf = (chain: number) => (chain % 3 === 0 ? 2 + ((chain / 3) % 3) : 1);

  let chain = {
    number: 1,
    version: 0,
    of: 1,
    root: '',
    topic: '',
    scope: 'scope 1',
    before: null as string | null,
  };
  let observations = 0;
  let writer = 0;
  database.exec('begin');
  for (let seq = 1; seq <= count; seq++) {
    if (seq % AT_ONCE === 0) database.exec('commit; begin');
    if (seq % SESSION === 0 || seq === 1)
      writer = addWriter(database, `session ${Math.floor(seq / SESSION)}`);
    const body = text(30, 60);
    if (seq % 2 === 0) {
      record.run(seq, 'observation', writer, writer);
      const title = text(3, 6);
      const project = `project ${seq % PROJECTS}`;
      observation.run(seq, title, body, hashOf(body), project, seq, seq, seq, writer);
      document.run(seq, title, body);
      observations++;
      if (observations > 1) relation.run(observations, 1 + Math.floor(random() * (observations - 1)));
      continue;
    }
    if (chain.version === chain.of) {
      const number = chain.number + 1;
      const [topic, scope] = [`${text(2, 2)} ${number}`, `scope ${number % SCOPES}`];
      chain = { number, version: 0, of: versionsOf(number), root: id(seq), topic, scope, before: null };
    }
    chain.root ||= id(seq);
    chain.topic ||= 'first';
    chain.version++;
    record.run(seq, 'decision', writer, writer);
    const before = chain.version === 1 ? null : chain.version - 1;
    // Whether it is active: the last of its chain, or of all.
    const isActive = chain.version === chain.of || seq + 2 > count ? 1 : 0;
    decision.run(
      seq,
      id(seq),
      chain.root,
      chain.version,
      before,
      chain.before,
      chain.topic,
      body,
      chain.scope,
      isActive,
      seq,
      seq,
      chain.before,
    );
    if (chain.version === 1) {
      topic.run(chain.topic, foldName(chain.topic), chain.root, seq);
      scope.run(chain.scope, foldName(chain.scope), chain.scope, seq);
    }
    document.run(seq, chain.topic, body);
    if (chain.before) edge.run(id(seq), chain.before, 'supersedes', seq);
    if (seq > 100 && seq % 10 === 1) {
      edge.run(id(seq), id(1 + 2 * Math.floor((random() * seq) / 2 - 1e-9)), 'builds_on', seq);
    }
    chain.before = id(seq);
  }
  database.exec('commit');
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Draws words, the n-th with a probability of 1/n. */
function zipf(random: () => number): () => string {
  const sums = new Float64Array(VOCABULARY);
  let sum = 0;
  for (let rank = 0; rank < VOCABULARY; rank++) {
    sum += 1 / (rank + 1);
    sums[rank] = sum;
  }
  const spelled = Array.from({ length: VOCABULARY }, (_, rank) => spell(rank));
  return () => {
    const drawn = random() * sum;
    let [low, high] = [0, VOCABULARY - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) > drawn) high = middle;
      else low = middle + 1;
    }
    return spelled[low] as string;
  };
}

/** A word of three syllables and a "k", which no rule of the stemmer takes away, and no list of stop words holds. */
function spell(rank: number): string {
  const syllable = (n: number) => `${'bdfgjlmnprtvz'[n % 13]}${'aeiou'[Math.floor(n / 13) % 5]}`;
  return `${syllable(rank)}${syllable(Math.floor(rank / 65))}${syllable(Math.floor(rank / 4225))}k`;
}
