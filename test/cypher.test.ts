import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import type { Memory } from '../src/index.ts';
import { fixed, sqlite } from './support/engines.ts';
import { IS_DEEP } from './support/part.ts';

/** What is used of Neo4j's own parser, which ships as CommonJS. */
interface CypherParser {
  lintCypherQuery(
    query: string,
    schema: object,
    options: object,
  ): { diagnostics: { severity: number; message: string }[] };
  parseStatementsStrs(query: string): string[];
  highlightSyntax(query: string): {
    tokenType: string;
    token: string;
    position: { startOffset: number };
  }[];
}
const require = createRequire(import.meta.url);
const parser: CypherParser = require('@neo4j-cypher/language-support');

/** Names as keywords have them, in lower case. */
const NAMES = [
  'a`) detach delete n //',
  "x'}) match (n) detach delete n; //",
  '\\u0027}) //',
  '\\',
  "it's",
  '/* "no comment',
  '$name {name} ;',
  'unicode 🙂 é',
  '한글 토큰',
];
/** One for every text that an operation takes. */
const TEXTS = {
  decision: "'}) DETACH DELETE n; // decision",
  second: "second'; MATCH (n) DETACH DELETE n;\n// on another line",
  topic: "topic'}) //",
  scope: "scope\\' DETACH",
  reasoning: 'because \\u0027}) DETACH DELETE n; //\u2028\x85 and \\U00000027',
  evidence: "evidence \\\\' DELETE\r\nwindows line",
  hint: '`hint`) DETACH DELETE n //',
  reason: "it's \\",
  summary: "checkpoint'} /* summary",
  steps: "*/ next'; steps \x07[31m",
  file: "C:\\users\\new\\'file'.ts",
  title: "title' + n.name + '",
  earlier: 'earlier \\\\u0027 content',
  content: "content\t'''",
  kind: "kind'`",
  project: "project'",
  key: "key'}) DETACH",
  relation: "r]->() DETACH DELETE n //'",
  note: "note'}]->(b) DETACH DELETE b;",
  memoSummary: "memo' summary 메모",
  memoText: "memo'}) DETACH DELETE n; // text\n둘째 줄",
  session: "session'}) DETACH DELETE n; //",
  author: "author' <a@b>}) DETACH",
  host: "host'})--",
  client: "client'",
};

/** A memory with a record of every kind, whose texts try to be more than data. */
async function hostileMemory(): Promise<Memory> {
  const memory = await sqlite.open({
    ...fixed(),
    writer: { author: TEXTS.author, host: TEXTS.host, client: TEXTS.client, session: TEXTS.session },
  });
  const t = TEXTS;
  const decisions: string[] = [];
  const ground = await memory.mem.save({ title: t.title, content: t.earlier, type: t.kind });
  for (const [index, text] of [t.decision, t.second].entries()) {
    const reasoning = decisions
      .map((id) => `\nbuilds_on: ${id}\ndebates: ${id}\nsynthesizes: [${id}]`)
      .join('');
    const { decision } = await memory.decision.save({
      text,
      topic: `${t.topic}${index}`,
      scope: t.scope,
      reasoning: t.reasoning + reasoning,
    });
    decisions.push(decision.id);
  }
  const [decision = ''] = decisions;
  await memory.decision.save({ text: 'replaced', topic: `${t.topic}0` });
  const { evidence } = await memory.evidence.save({ decisionRef: decision, content: t.evidence });
  await memory.evidence.save({ decisionRef: decision, observationId: ground.id });
  await memory.anchor.save({ hint: t.hint, targetRef: decision, type: 'decision_link' });
  await memory.anchor.save({ hint: t.hint, targetRef: evidence.id, type: 'evidence_link' });
  await memory.mama.update({ id: decision, outcome: 'failed', reason: t.reason });
  const checkpoint = { summary: t.summary, next_steps: t.steps, open_files: [t.file, 'b.ts'] };
  await memory.mama.save({ type: 'checkpoint', ...checkpoint });
  await memory.mem.update({ id: ground.id, content: t.content, project: t.project, topic_key: t.key });
  const other = await memory.mem.save({ title: 'other', content: 'other' });
  await memory.mem.relate({ from_id: ground.id, to_id: other.id, relation_type: t.relation, note: t.note });
  await memory.keywords.record({ keywords: NAMES.slice(0, 3), sessionId: t.session, belongsTo: "it's" });
  await memory.keywords.record({ keywords: NAMES.slice(3), sessionId: t.session });
  const memo = { fullText: t.memoText, summary: t.memoSummary, keywords: NAMES.slice(0, 1) };
  await memory.memo.save({ ...memo, sessionId: t.session });
  await memory.memo.expand({ sessionId: t.session });
  return memory;
}

async function exported(memory: Memory): Promise<string[]> {
  const lines: string[] = [];
  await memory.export('cypher', (line) => lines.push(line));
  return lines;
}

/** The text that a string literal stands for. */
function textOf(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\(?:u([\da-f]{4})|(.))/g, (_, code, character) =>
      code === undefined ? character : String.fromCharCode(Number.parseInt(code, 16)),
    );
}

/** The name that a quoted label stands for: numbered escapes are resolved first. */
function labelOf(token: string): string {
  return token
    .replace(/\\u([\da-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .slice(1, -1)
    .replaceAll('``', '`');
}

describe('the export as Cypher, read by the parser of Neo4j', async () => {
  const memory = await hostileMemory();
  const lines = await exported(memory);
  const script = lines.join('\n');
  const tokens = parser.highlightSyntax(script);
  const literals = tokens.filter(({ tokenType }) => tokenType === 'stringLiteral');
  /** The names of keywords, which are labels (M-13). */
  const labels = tokens.filter(({ token }) => token.startsWith('`'));
  const quoted = tokens.filter((token) => literals.includes(token) || labels.includes(token));
  const others = tokens.filter((token) => !quoted.includes(token));

  it('[M-10] is correct, one statement a line', () => {
    // One line of each form that differs in its texts alone: to understand all of them takes the parser twice as long.
    const forms = new Map(
      lines.map((line) => [line.replace(/'(?:[^'\\]|\\.)*'|`(?:[^`]|``)*`|\d+/g, '?'), line]),
    );
    const understood = IS_DEEP ? script : [...forms.values()].join('\n');
    const { diagnostics } = parser.lintCypherQuery(understood, {}, {});
    assert.deepEqual(
      diagnostics.filter(({ severity }) => severity === 1),
      [],
    );
    const statements = parser.parseStatementsStrs(script).map((statement) => statement.trim());
    assert.deepEqual(statements.filter(Boolean), lines);
  });

  it('the parser finds what is wrong with a script in which a text is not quoted', () => {
    const broken = `MERGE (n:Keyword {name: '${NAMES[1]}'});`;
    assert.equal(parser.parseStatementsStrs(broken).filter((statement) => statement.trim()).length > 1, true);
    const found = parser.highlightSyntax(broken).map(({ token }) => token.toUpperCase());
    assert(found.includes('DETACH') && found.includes('DELETE'), found.join(' '));
    const { diagnostics } = parser.lintCypherQuery("MERGE (n:Keyword {name: 'it's'});", {}, {});
    assert(diagnostics.some(({ severity }) => severity === 1));
  });

  it('[M-10] [M-13] every text is in it, as a whole and only in string literals and quoted labels', () => {
    const texts = literals.map(({ token }) => textOf(token));
    for (const name of NAMES) assert(texts.includes(name), `not in the export: ${name}`);
    assert(labels.every(({ tokenType }) => tokenType === 'label'));
    assert.deepEqual(new Set(labels.map(({ token }) => labelOf(token))), new Set(NAMES));
    for (const text of Object.values(TEXTS)) {
      // A topic and a reasoning go on after it.
      assert(
        texts.some((each) => each.startsWith(text)),
        `not in the export: ${JSON.stringify(text)}`,
      );
    }
    // The parser counts code points.
    const characters = [...script];
    const query: string[] = [];
    let end = 0;
    for (const { position, token } of quoted) {
      query.push(characters.slice(end, position.startOffset).join(''));
      end = position.startOffset + [...token].length;
      assert.equal(characters.slice(position.startOffset, end).join(''), token);
    }
    query.push(characters.slice(end).join(''));
    assert.doesNotMatch(query.join(''), /detach|delete/i);
    // Nothing is left that could quote, escape or comment: only what this code writes itself.
    assert.match(query.join(''), /^[\w\s(){}[\]:,.;=+>-]*$/);
  });

  it('[M-10] makes and connects, and neither deletes nor calls anything', () => {
    const keywords = others.filter(({ tokenType }) => tokenType === 'keyword').map(({ token }) => token);
    assert.deepEqual(
      [...new Set(keywords)].sort(),
      'CONSTRAINT CREATE EXISTS FOR IF IS MATCH MERGE NOT REQUIRE SET UNIQUE'.split(' '),
    );
  });

  it('[M-10] has the published labels and relation types, and every other kind of record', () => {
    const made = (pattern: RegExp) => new Set(lines.flatMap((line) => line.match(pattern)?.[1] ?? []));
    assert.deepEqual([...made(/^MERGE \(n:(?:`.*SET n:)?(\w+)/)].sort(), [
      ...['Anchor', 'Checkpoint', 'Decision', 'Evidence', 'Keyword', 'Observation'],
      ...['Outcome', 'Revision', 'Session', 'Writer', '_Info'],
    ]);
    assert.deepEqual([...made(/^MATCH .* MERGE \(a\)-\[r:(\w+)/)].sort(), [
      ...['ABOUT', 'BELONGS_TO', 'BUILDS_ON', 'CO_OCCURS', 'DEBATES', 'EVIDENCE_OF', 'FOLLOWED_BY'],
      ...['LAST_MEMO', 'OUTCOME_OF', 'POINTS_TO', 'RELATED_TO', 'RELATION', 'REVISION_OF'],
      ...['SUPERSEDES', 'SYNTHESIZES', 'TAKEN_FROM', 'WRITTEN_BY'],
    ]);
  });

  it('[M-10] a relation comes after both of its nodes', () => {
    const NODE = /:(?:\w+|`(?:[^`]|``)*`) \{\w+: (?:'(?:[^'\\]|\\.)*'|\d+)\}/g;
    const made = new Set<string>();
    for (const line of lines) {
      const nodes = line.match(NODE) ?? [];
      // A keyword is made by the label of its name, and found by that of its kind.
      if (line.startsWith('MERGE')) made.add((nodes[0] ?? '').replace(/^:`(?:[^`]|``)*`/, ':Keyword'));
      if (!line.startsWith('MATCH')) continue;
      assert(nodes.length >= 2, line);
      for (const node of nodes.slice(0, 2)) assert(made.has(node), `${node} is missing: ${line}`);
    }
    assert(made.size > 20, 'constraints make no node');
  });

  it('[M-10] is the same again when nothing was changed, and another when something was', async () => {
    assert.deepEqual(await exported(memory), lines);
    await memory.keywords.record({ keywords: ['one more'], sessionId: 'other' });
    assert.equal(
      (await exported(memory)).length,
      lines.length + 4,
      'a keyword and its name, who wrote it, a session',
    );
  });

  it('[M-10] leaves no record out, however many there are', async () => {
    const large = await sqlite.openFast();
    for (let n = 1; n <= 450; n++) await large.mem.save({ title: `title ${n}`, content: `content ${n}` });
    const titles = (await exported(large)).flatMap((line) => line.match(/title: 'title (\d+)'/)?.[1] ?? []);
    assert.deepEqual(
      titles,
      Array.from({ length: 450 }, (_, index) => String(index + 1)),
    );
  });
});
