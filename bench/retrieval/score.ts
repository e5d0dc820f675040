import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { print } from '../measure.ts';

/** Calls a tool of the server. */
export type Call = (name: string, input: object) => Promise<Record<string, unknown>>;

/** A memory to fill, and what is asked of it. */
export interface Case {
  name: string;
  /** @param connect begins a new session, as another client would */
  fill(connect: () => Promise<Call>): Promise<Question[]>;
}

export interface Question {
  tool: 'mama_search' | 'mem_search' | 'recall';
  query: string;
  /** Headings under which its result is counted. */
  groups: string[];
  /** Ids of the records that answer it. */
  expected: string[];
  /** What else must hold of the rows; a line for each that does not. */
  check?(rows: Record<string, unknown>[]): string[];
}

export interface Result {
  question: Question;
  /** Ids in the order in which they were found. */
  found: string[];
  broken: string[];
}

/** Results looked at: enough for the rank of the first right one. */
const DEPTH = 50;

/** Fills a memory for each case, over MCP, and asks all its questions. */
export async function askAll(cases: Case[], folder: string): Promise<Result[]> {
  const results: Result[] = [];
  for (const { name, fill } of cases) {
    let client: Client | undefined;
    const connect = async (): Promise<Call> => {
      await client?.close();
      const next = new Client({ name: 'retrieval benchmark', version: '1.0.0' });
      client = next;
      await next.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: ['dist/precedent.cjs', 'mcp', '--db', join(folder, `${name}.db`), '--workspace', name],
          stderr: 'ignore',
        }),
      );
      return (tool, input) => callTool(next, tool, input);
    };
    const questions = await fill(connect);
    const call = await connect();
    for (const question of questions) {
      const rows = await ask(call, question);
      const found = rows.map(({ id }) => (typeof id === 'number' ? `#${id}` : String(id)));
      results.push({ question, found, broken: question.check?.(rows) ?? [] });
    }
    await client?.close();
  }
  return results;
}

/** What is whole, then what is named: `✗ 3f2504e0 auth:token: JWT`. */
async function ask(call: Call, { tool, query }: Question): Promise<Record<string, unknown>[]> {
  const { results, entries, names } = await call(
    tool,
    tool === 'recall' ? { task: query, token_budget: 5_000 } : { query, limit: DEPTH },
  );
  const named = ((names ?? []) as string[]).map((name) => ({ id: /#\d+|[\da-f]{4,}/.exec(name)?.[0], name }));
  return [...((results ?? entries ?? []) as Record<string, unknown>[]), ...named];
}

/** Whether a result shows this id: search shows the beginning of it. */
export function isShort(shown: string | undefined, id: string): boolean {
  return shown !== undefined && (id.startsWith('#') ? shown === id : id.startsWith(shown));
}

async function callTool(client: Client, tool: string, input: object): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name: tool, arguments: { ...input } });
  if (result.isError) {
    // A history that replaces a lock means to: it is asked for the lock's name, and gives it (T-6).
    const [, lock] = /give replaces: \\"([0-9a-f]+)\\"/.exec(JSON.stringify(result.content)) ?? [];
    if (lock && !('replaces' in input)) return callTool(client, tool, { ...input, replaces: lock });
    throw new Error(`${tool}: ${JSON.stringify(result.content)}`);
  }
  const [said] = result.content;
  return JSON.parse(said?.type === 'text' ? said.text : '') as Record<string, unknown>;
}

interface Quality {
  questions: number;
  /** The share of the expected records among the first five, and ten, results; the mean over the questions. */
  recallAt5: number;
  recallAt10: number;
  /** The mean of 1 / rank of the first expected record. */
  mrr: number;
}

export function qualityOf(results: Result[]): Quality {
  const mean = (of: (result: Result) => number) =>
    results.reduce((sum, result) => sum + of(result), 0) / results.length;
  const recall = (at: number) =>
    mean(({ question, found }) => {
      const top = found.slice(0, at);
      const hit = question.expected.filter((id) => top.some((shown) => isShort(shown, id)));
      return hit.length / question.expected.length;
    });
  const mrr = mean(({ question, found }) => {
    const rank = found.findIndex((shown) => question.expected.some((id) => isShort(shown, id)));
    return rank === -1 ? 0 : 1 / (rank + 1);
  });
  return { questions: results.length, recallAt5: recall(5), recallAt10: recall(10), mrr };
}

/** Results by the headings of their questions, all together first. */
function byGroup(results: Result[]): Map<string, Quality> {
  const groups = [...new Set(results.flatMap(({ question }) => question.groups))].sort();
  return new Map([
    ['all', qualityOf(results)],
    ...groups.map((group): [string, Quality] => [
      group,
      qualityOf(results.filter(({ question }) => question.groups.includes(group))),
    ]),
  ]);
}

/** The least quality of each group of questions. */
export type Floor = Record<string, Partial<Record<keyof Quality, number>>>;

/** What falls below a floor, by group and measure, or must never be: a line each. */
export function belowFloor(results: Result[], floor: Floor): string[] {
  const groups = byGroup(results);
  const low = Object.entries(floor).flatMap(([group, least]) =>
    Object.entries(least).flatMap(([measure, bound]) => {
      const value = groups.get(group)?.[measure as keyof Quality] ?? 0;
      return value < bound ? [`${group}: ${measure} is ${value.toFixed(3)}, expected at least ${bound}`] : [];
    }),
  );
  return [
    ...low,
    ...results.flatMap(({ question, broken }) => broken.map((line) => `${question.query}: ${line}`)),
  ];
}

export function report(title: string, results: Result[]): void {
  print(`\n${title}\n`);
  print('| questions | number | recall@5 | recall@10 | MRR |');
  print('|---|---|---|---|---|');
  for (const [group, { questions, recallAt5, recallAt10, mrr }] of byGroup(results)) {
    print(
      `| ${group} | ${questions} | ${recallAt5.toFixed(3)} | ${recallAt10.toFixed(3)} | ${mrr.toFixed(3)} |`,
    );
  }
}
