import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openCore } from '../../src/memory/core.ts';
import type { Result } from '../../src/operations/index.ts';
import { loadOperation } from '../../src/operations/load.ts';
import { print } from '../measure.ts';

/**
 * How much of what is wrong among two weeks of agents' saves is within the first 60 that review shows, with a reason (TR-2).
 *
 *   node bench/review/run.ts [DIR] [--held | --all] [--list] [--ask] [--answers=FILE]
 *
 * `--held` counts the half that is not for choosing, `--all` both; `--list` prints what is shown. `--ask` prints what a model is
 * asked, with the ids of the set, and `--answers` takes its lines.
 */
const FIRST = 60;
const has = (option: string) => process.argv.includes(option);
const halves = has('--all') ? ['work', 'held'] : [has('--held') ? 'held' : 'work'];
const given = process.argv.slice(2).find((each) => !each.startsWith('--'));
const folder = given && existsSync(given) ? resolve(given) : import.meta.dirname;

interface Saved {
  id: string;
  at: string;
  author: string;
  kind: 'decision' | 'note';
  topic: string;
  text: string;
  reason?: string;
  scope?: string;
  strength?: string;
  hints?: string[];
  half: string;
}

const read = <Line>(name: string): Line[] =>
  readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const STRENGTHS: Record<string, string> = { lock: 'lock', strong: 'axis' };
const isAgent = ({ author }: Saved) => /claude|codex|gemini|cursor|copilot|opencode|agent/i.test(author);

const place = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
try {
  let now = 0;
  await using memory = await openCore({ db: join(place, 'week.db'), clock: () => now }, loadOperation);
  const saves = read<Saved>('saves');
  const key = new Map(read<{ id: string; is: string }>('key').map(({ id, is }) => [id, is]));
  const active = new Map<string, string>();
  const saveOf = new Map<string, Saved>();
  for (const saved of saves) {
    now = Date.parse(saved.at);
    const { author, topic, text, reason, scope, strength = '', hints } = saved;
    const by = {
      author: isAgent(saved) ? 'Kim' : author,
      client: isAgent(saved) ? author : 'cli',
      session: `${author} ${saved.at.slice(0, 10)}`,
    };
    const replaces = active.get(topic);
    const { id } =
      saved.kind === 'note'
        ? await memory.call('mem_save', { title: topic, content: text }, by)
        : await memory.call(
            'mama_save',
            {
              ...{ topic, decision: text, strength: STRENGTHS[strength] ?? 'normal' },
              ...(reason && { reasoning: reason }),
              ...(scope && { scope: scope === '*' ? 'global' : scope }),
              ...(hints?.length && { hints }),
              ...(replaces && { replaces }),
            },
            by,
          );
    if (saved.kind === 'decision') active.set(topic, String(id));
    saveOf.set(saved.kind === 'note' ? `#${id}` : String(id), saved);
  }
  const ids = [...saveOf];
  const answers = process.argv.find((each) => each.startsWith('--answers='))?.slice('--answers='.length);
  if (answers !== undefined) {
    // Ids of the set stay the same, those of records do not.
    const said = readFileSync(answers, 'utf8').replace(
      /\bs\d{3}\b/g,
      (name) => ids.find(([, save]) => save.id === name)?.[0] ?? name,
    );
    const { marked, refused } = await memory.call('marks_save', { answers: said });
    print(`${marked} marks; left out: ${JSON.stringify(refused)}\n`);
  }
  if (has('--ask')) {
    for (let before: string | undefined; ; ) {
      const { ask: asked } = (await memory.call('review', {
        since: '2000-01-01',
        ask: true,
        ...(before && { before }),
      })) as unknown as Result<'review'>;
      if (!asked) break;
      print(
        `${asked.text.replace(/^\S+/gm, (ref) => ids.find(([id]) => id === ref || (ref.length > 7 && id.startsWith(ref)))?.[1].id ?? ref)}\n`,
      );
      before = asked.next;
      if (before === undefined) break;
    }
  }
  const started = process.cpuUsage();
  const { groups, total, left } = (await memory.call('review', {
    since: '2000-01-01',
    limit: 10_000,
  })) as unknown as Result<'review'>;
  const { user, system } = process.cpuUsage(started);
  const items = groups.flatMap(({ kind, items }) => items.map((item) => ({ ...item, group: kind })));
  const shown = items.slice(0, FIRST);
  const isOf = (item: (typeof items)[number]) => saveOf.get(item.id);
  if (has('--list'))
    for (const [at, item] of items.entries()) {
      const save = isOf(item);
      if (at < FIRST || key.has(save?.id ?? ''))
        print(
          `${at} ${item.group} ${save?.id} ${key.get(save?.id ?? '') ?? '-'} ${item.title} ${item.beware.join(' | ')}`,
        );
    }
  print('| wrong | of | among the first 60, with a reason |\n|---|---|---|');
  for (const is of ['against-lock', 'contradiction', 'duplicate', 'scope', 'strength']) {
    const ids = saves
      .filter(({ id, half }) => key.get(id) === is && halves.includes(half))
      .map(({ id }) => id);
    const found = shown.filter((item) => item.beware.length > 0 && ids.includes(isOf(item)?.id ?? ''));
    print(`| ${is} | ${ids.length} | ${found.length} |`);
  }
  print(
    `\n${total} wait, ${left} are not shown; ${Math.round((user + system) / 1_000)} ms of processor time`,
  );
} finally {
  rmSync(place, { recursive: true, force: true });
}
