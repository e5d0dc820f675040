import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { Agent } from './memory.ts';
import { type Case, dangersOf, idsOf, type Record } from './set.ts';

/** Generic prompts that come before each case: a rule matters late in a session. */
const BEFORE = 9;

/** One kind of moment, and what came of its cases. */
export interface Row {
  cases: number;
  /** A right record was named; its why was whole; something else was said. */
  told: number;
  why: number;
  other: number;
  /** The same of what the start of the session said. */
  startWhy: number;
  /** In the start or at the moment. */
  eitherTold: number;
  eitherWhy: number;
  /** Tokens of what was said at all moments. */
  tokens: number;
}

/** Runs cases, each in a session of its own. */
export class Judge {
  readonly #records: Map<string, Record>;
  readonly #agent: Agent;
  readonly #idle: string[];
  readonly #counted = new Map<string, number>();

  /** @param idle prompts about nothing, of which some come before each case; none for a memory without state */
  constructor(records: Record[], agent: Agent, idle: string[]) {
    this.#records = new Map(records.map((record) => [record.id, record]));
    this.#agent = agent;
    this.#idle = idle;
  }

  /** @param missed is called with each case that went wrong */
  async all(
    cases: Case[],
    say: (each: Case) => Promise<string>,
    missed: (each: Case, said: string) => void,
  ): Promise<Row> {
    const row: Row = {
      ...{ cases: cases.length, told: 0, why: 0, other: 0, startWhy: 0, eitherTold: 0, eitherWhy: 0 },
      tokens: 0,
    };
    for (const [at, each] of cases.entries()) {
      const start = await this.#agent.begin();
      for (let n = 1; n <= BEFORE && this.#idle.length > 0; n++)
        await this.#agent.prompt(this.#idle[(at * BEFORE + n) % this.#idle.length] ?? '');
      const said = await say(each);
      const isAsked = said === ASKED;
      const now = this.#heard(each, said);
      const before = this.#heard(each, start);
      const isTold = isAsked || now.told;
      const isWhy = isAsked || now.why;
      if (isTold) row.told++;
      else if (said !== '') row.other++;
      if (isWhy) row.why++;
      if (before.why) row.startWhy++;
      if (isTold || before.told) row.eitherTold++;
      if (isWhy || before.why) row.eitherWhy++;
      row.tokens += this.tokens(said);
      if (isBound(each) ? !isWhy : said !== '' && !isTold) missed(each, said);
    }
    return row;
  }

  tokens(text: string): number {
    const known = this.#counted.get(text);
    if (known !== undefined) return known;
    const count = countTokens(text);
    this.#counted.set(text, count);
    return count;
  }

  /** Whether a text names a right record, and whether it holds the sentence that names the danger. */
  #heard(each: Case, text: string): { told: boolean; why: boolean } {
    const flatText = flat(text);
    const why = dangersOf(each).some((danger) => holds(flatText, danger));
    const told = idsOf(each).some((id) => {
      const { topic, decision, title = '' } = this.#records.get(id) ?? { topic: '' };
      return topic !== '' && (flatText.includes(topic) || holds(flatText, decision ?? title));
    });
    return { told: told || why, why };
  }
}

/** In place of the words of a memory that asks the model to save. */
export const ASKED = 'asked to save';

/** Whether something should be said. */
const isBound = (each: Case): boolean =>
  (idsOf(each).length > 0 && each.class !== 'innocent') || each.class === 'deciding';

/** On one line, with the signs that a quotation has in place of those that would end it, and as it was before JSON. */
const flat = (text: string) =>
  text
    .replaceAll('\\n', ' ')
    .replaceAll('\\"', '"')
    .replace(/\s+/g, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replace(/[“”]/g, '"')
    .trim();
const holds = (flatText: string, text: string) => text !== '' && flatText.includes(flat(text));
