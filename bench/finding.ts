import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openCore } from '../src/memory/core.ts';
import { loadOperation } from '../src/operations/load.ts';
import { print } from './measure.ts';

/**
 * Real decision records, each project in a memory of its own, and questions about them, asked of `mama_search` and of plain
 * FTS5 (porter, any word) over the same texts. The records are other people's, so they are not kept here:
 *
 *   node bench/finding.ts DIR [--held]
 *
 * DIR has `projects/NAME/records.jsonl` ({id, title, decision, reasoning, date, superseded_by}) and `questions-dev.jsonl`,
 * `questions-held.jsonl` ({project, question, right: [id], class}); without `right` no record answers.
 */
interface Line {
  id: string;
  title: string;
  decision: string;
  reasoning: string;
  superseded_by?: string | null;
}
interface Question {
  project: string;
  question: string;
  right: string[];
  class: string;
}
interface Answer extends Question {
  by: string;
  /** Of the first right one, from 1; undefined when it is not among the ten first. */
  place: number | undefined;
  isSaidToBeNone: boolean;
}

const [directory = '', flag] = process.argv.slice(2);
const half = flag === '--held' ? 'held' : 'dev';
const linesOf = <Type>(path: string): Type[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const SHOWN = 10;
/** The class of questions of another project. */
const FOREIGN = 'of another project';
const asked = linesOf<Question>(join(directory, `questions-${half}.jsonl`));
const paths = globSync(join(directory, 'projects/*/records.jsonl')).sort();
const projects = paths.map((path) => basename(dirname(path)));
const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
const answers: Answer[] = [];
try {
  for (const path of paths) await answersOf(basename(dirname(path)), linesOf<Line>(path));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function answersOf(project: string, records: Line[]): Promise<void> {
  // The next project's questions, too: nothing here answers them.
  const next = projects[(projects.indexOf(project) + 1) % projects.length];
  const questions = asked.flatMap((each) => {
    if (each.project === project) return each;
    return each.project === next && each.right.length > 0 ? { ...each, right: [], class: FOREIGN } : [];
  });
  const memory = await openCore({ db: join(folder, `${project}.db`) }, loadOperation);
  const plain = new DatabaseSync(':memory:');
  plain.exec("create virtual table t using fts5(id unindexed, text, tokenize = 'porter')");
  const topicOf = new Map<string, string>();
  for (const { id, title, decision, reasoning } of records) {
    const topic = `adr:${id}`.slice(0, 100);
    topicOf.set(topic, id);
    await memory.call('mama_save', {
      topic,
      decision: `${title}. ${decision}`.slice(0, 2_000),
      ...(reasoning && { reasoning: reasoning.slice(0, 2_000) }),
    });
    plain.prepare('insert into t values (?, ?)').run(id, `${title}\n${decision}\n${reasoning}`);
  }
  for (const question of questions) {
    const { results, answered } = await memory.call('mama_search', {
      query: question.question,
      limit: SHOWN,
    });
    const ids = (results as { topic: string }[]).map(({ topic }) => topicOf.get(topic));
    answers.push(answerOf('precedent', question, ids, answered === false || ids.length === 0));
    const words = question.question.match(/[\p{L}\p{N}]+/gu) ?? [];
    const hits = plain.prepare('select id from t where t match ? order by rank limit ?').all(
      words
        .map((word) => `"${word}"`)
        .join(' or ')
        .replaceAll(' or ', ' OR '),
      SHOWN,
    );
    answers.push(
      answerOf(
        'plain FTS5',
        question,
        hits.map(({ id }) => id as string),
        hits.length === 0,
      ),
    );
  }
  await memory.close();
  plain.close();
}

function answerOf(
  by: string,
  question: Question,
  ids: (string | undefined)[],
  isSaidToBeNone: boolean,
): Answer {
  const at = ids.findIndex((id) => id !== undefined && question.right.includes(id));
  return { ...question, by, place: at < 0 ? undefined : at + 1, isSaidToBeNone };
}

const classes = [...new Set(asked.map((each) => each.class))].sort();
const share = (some: Answer[], of: Answer[]) =>
  of.length === 0 ? '–' : (some.length / of.length).toFixed(3);
print(
  `${half}: ${asked.length} questions\n\n| class | by | n | r@1 | r@3 | MRR | right ones said to be none |\n|---|---|---|---|---|---|---|`,
);
for (const name of [...classes.filter((each) => each !== 'none'), 'all'])
  for (const by of ['precedent', 'plain FTS5']) {
    const own = answers.filter(
      (each) => each.by === by && each.right.length > 0 && (name === 'all' || each.class === name),
    );
    const within = (most: number) => own.filter(({ place }) => place !== undefined && place <= most);
    const mrr = own.reduce((sum, { place }) => sum + (place === undefined ? 0 : 1 / place), 0) / own.length;
    const said = within(3).filter(({ isSaidToBeNone }) => isSaidToBeNone);
    print(
      `| ${name} | ${by} | ${own.length} | ${share(within(1), own)} | ${share(within(3), own)} | ${mrr.toFixed(3)} | ${share(said, within(3))} |`,
    );
  }
for (const name of ['none', FOREIGN]) {
  const none = answers.filter((each) => each.by === 'precedent' && each.class === name);
  const said = none.filter(({ isSaidToBeNone }) => isSaidToBeNone);
  print(`\nWithout an answer, ${name}: ${none.length}, said: ${share(said, none)}`);
}
