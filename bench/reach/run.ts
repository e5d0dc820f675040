import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { print } from '../measure.ts';
import { type Agent, type Case, type Record, scene } from './scene.ts';

/**
 * Reach and noise of the hooks: of the moments in which an agent is about to break a rule or repeat a failure, in how many
 * its text and why are in the agent's context before it acts. Records and cases: README.md.
 *
 *   node bench/reach/run.ts [small large] [--held] [--no-hints] [--misses]
 *
 * `--held` measures the half of the cases that is not for choosing. `--misses` prints each case that went wrong.
 */
const given = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const HALF = process.argv.includes('--held') ? 'held' : 'work';
const WITH_HINTS = !process.argv.includes('--no-hints');
const IS_EXPLAINING = process.argv.includes('--misses');
/** Generic prompts that come before each case: a rule matters late in a session. */
const BEFORE = 9;

/** One kind of case, and what came of it. */
interface Row {
  what: string;
  cases: number;
  /** A right record was named; its why was whole; something else was said. */
  told: number;
  why: number;
  other: number;
  /** Those whose why was in what the start said, or in either. */
  start: number;
  either: number;
  tokens: number;
}

async function measure(set: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'precedent-reach-'));
  try {
    const { agent, records, cases: all } = scene(home, set, WITH_HINTS);
    print(`\n## ${set}: ${records.length} records, ${WITH_HINTS ? 'with' : 'without'} hints, ${HALF} half\n`);
    print(
      '| moment | cases | told | with why | something else | by the start | start or event | tokens a case |',
    );
    print('|---|---|---|---|---|---|---|---|');
    const cases = (name: string) => all(name).filter(({ half }) => half === HALF);
    const prompts = cases('prompts');
    const idle = prompts.filter((each) => each.class === 'generic').map(({ text = '' }) => text);
    const judge = new Judge(records, agent, idle);
    for (const how of ['near', 'words', 'language'])
      await judge.all(
        how === 'near' ? 'prompt that breaks, near words' : `prompt that breaks, other ${how}`,
        prompts.filter((each) => (each.class === 'other' ? each.how : each.class) === how),
        ({ text }) => agent.prompt(text ?? ''),
      );
    for (const kind of ['concern', 'generic'])
      await judge.all(
        kind === 'concern' ? 'prompt that concerns a decision' : 'prompt about nothing',
        prompts.filter((each) => each.class === kind),
        ({ text }) => agent.prompt(text ?? ''),
      );
    for (const kind of ['breaking', 'innocent'])
      await judge.all(
        `edit or command, ${kind}`,
        cases('changes').filter((each) => each.class === kind),
        (each) => (kind === 'innocent' ? agent.changeOfRead(each) : agent.change(each)),
      );
    for (const kind of ['known', 'none'])
      await judge.all(
        kind === 'known' ? 'error with a known cause' : 'error without',
        cases('errors').filter((each) => each.class === kind),
        (each) => agent.fail(each),
      );
    await judge.all('file that is bound, before the change', cases('files'), (each) => agent.touch(each));
    for (const kind of ['deciding', 'none'])
      await judge.all(
        kind === 'deciding' ? 'moment of deciding: asked to save' : 'no such moment',
        cases('moments').filter((each) => each.class === kind),
        async ({ text }) => (/mama_save/.test(await agent.prompt(text ?? '')) ? 'asked to save' : ''),
      );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Runs cases, each in a session of its own, and prints what came of them. */
class Judge {
  readonly #records: Map<string, Record>;
  readonly #agent: Agent;
  readonly #idle: string[];

  constructor(records: Record[], agent: Agent, idle: string[]) {
    this.#records = new Map(records.map((record) => [record.id, record]));
    this.#agent = agent;
    this.#idle = idle;
  }

  async all(what: string, cases: Case[], say: (each: Case) => Promise<string>): Promise<void> {
    const row: Row = { what, cases: 0, told: 0, why: 0, other: 0, start: 0, either: 0, tokens: 0 };
    for (const [at, each] of cases.entries()) {
      const start = await this.#agent.begin();
      for (let n = 1; n <= BEFORE; n++)
        await this.#agent.prompt(this.#idle[(at * BEFORE + n) % this.#idle.length] ?? '');
      const said = await say(each);
      const isAsked = said === 'asked to save';
      const ids = each.records ?? (each.record ? [each.record] : []);
      const dangers = each.dangers ?? (each.danger ? [each.danger] : []);
      const isTold = isAsked || ids.some((id) => this.#names(said, id));
      const isWhy = isAsked || dangers.some((danger) => holds(said, danger));
      row.cases++;
      if (isTold || isWhy) row.told++;
      else if (said !== '') row.other++;
      if (isWhy) row.why++;
      if (dangers.some((danger) => holds(start, danger))) row.start++;
      if (isWhy || dangers.some((danger) => holds(start, danger))) row.either++;
      row.tokens += Math.ceil(said.length / 4);
      const isWrong = ids.length > 0 || each.class === 'deciding' ? !isWhy : said !== '';
      if (IS_EXPLAINING && isWrong)
        print(
          `  ${each.id} ${ids.join(' ')} ${each.text ?? each.file ?? each.command ?? ''}\n    → ${said || 'silent'}`,
        );
    }
    const { told, why, other, start, either } = row;
    const each = row.cases === 0 ? 0 : Math.round(row.tokens / row.cases);
    print(`| ${[what, row.cases, told, why, other, start, either, each].join(' | ')} |`);
  }

  #names(said: string, id: string): boolean {
    const record = this.#records.get(id);
    return (
      record !== undefined &&
      (said.includes(record.topic) || holds(said, record.decision ?? record.title ?? ''))
    );
  }
}

/** On one line, with the signs that a quotation has in place of those that would end it. */
const flat = (text: string) =>
  text.replace(/\s+/g, ' ').replaceAll('<', '‹').replaceAll('>', '›').replace(/[“”]/g, '"').trim();
const holds = (said: string, text: string) => text !== '' && flat(said).includes(flat(text));

for (const set of given.length > 0 ? given : ['small', 'large']) await measure(set);
