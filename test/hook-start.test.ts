import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { CLI } from '../src/domain/via.ts';
import { LIMITS } from '../src/hook/page.ts';
import { respond } from '../src/hook/respond.ts';
import { type Memory, openMemory } from '../src/index.ts';
import { workbench } from './support/program.ts';

/** A memory that persons and an agent write, and what a hook says in it. */
async function memoryOf(test: TestContext) {
  const { folder } = workbench(test);
  mkdirSync(join(folder, 'precedent'));
  const db = join(folder, 'rules.db');
  const [person, agent] = [CLI, 'claude-code 2'].map((client) =>
    openMemory({ db, writer: { author: 'Kim', client } }),
  ) as [Promise<Memory>, Promise<Memory>];
  const memory = { person: await person, agent: await agent };
  test.after(() => Promise.all([memory.person.close(), memory.agent.close()]));
  let sessions = 0;
  const hook = async (event: object): Promise<string> => {
    const written: string[] = [];
    await respond({
      agent: 'claude',
      payload: { session_id: `s${++sessions}`, cwd: folder, ...event },
      options: { db },
      environment: { XDG_DATA_HOME: folder },
      cwd: folder,
      write: async (text) => void written.push(text),
      note: async (what) => assert.fail(what),
    });
    return written.length === 0 ? '' : JSON.parse(written.join('')).hookSpecificOutput.additionalContext;
  };
  const start = (more: object = {}) => hook({ hook_event_name: 'SessionStart', source: 'startup', ...more });
  return { ...memory, folder, hook, start };
}
const linesOf = (text: string) => text.match(/^- .*$/gm) ?? [];
const topicsOf = (text: string) => [...text.matchAll(/\] (\S+:\S+): “/g)].map(([, topic = '']) => topic);
const rule = (topic: string, strength: 'axis' | 'lock', scope?: string) => ({
  topic,
  decision: `The rule of ${topic} holds for whoever writes here`,
  reasoning: `In March ${topic} stood open for a night.`,
  strength,
  ...(scope && { scope }),
});

describe('what an agent is told when its session starts', () => {
  it('[RE-1] rules in their order, the checkpoint, failures with why, beginnings of reasons, other topics', async (test) => {
    const { person, start } = await memoryOf(test);
    await person.mama.save(rule('db:lock', 'lock'));
    await person.mama.save(rule('db:axis', 'axis'));
    await person.mama.save(rule('all:lock', 'lock', 'global'));
    await person.mama.save(rule('all:axis', 'axis', 'global'));
    await person.decision.save({ text: 'A rule without a topic', strength: 'lock', scope: 'db' });
    const { id } = await person.mama.save({ topic: 'pay:float', decision: 'Amounts are floats' });
    await person.mama.update({ id, outcome: 'failed', reason: 'Sums were off by a cent' });
    await person.mama.save({ topic: 'ui:columns', decision: 'Twelve columns' });
    await person.mama.save({ type: 'checkpoint', summary: 'Half of it', next_steps: 'The rest' });
    const said = await start();
    assert.deepEqual(
      linesOf(said).map((line) => line.replace(/“(?=The rule|In March).*?”/g, '“”')),
      [
        '- [axis · global] all:axis: “”; why “”',
        '- [lock · global] all:lock: “”; why “”',
        '- [axis] db:axis: “”; why “”',
        said.match(/^- \[lock · db\] “A rule without a topic” \([\da-f]{8,}\)$/m)?.[0],
        '- [lock] db:lock: “”; why “”',
        said.match(/^- \[checkpoint .*“Half of it”; next “The rest” \(mama_load_checkpoint\)$/m)?.[0],
        '- [FAILED] pay:float: “Amounts are floats”; failed because “Sums were off by a cent”',
        '- also decided: ui:columns',
      ],
    );
    assert.doesNotMatch(said, /Not shown|decision_retrieve|decision_get/);
    assert(countTokens(said) <= LIMITS.start, `${countTokens(said)} tokens`);
  });

  it('[RE-1] sixty rules: words before reasons, and what is left out is counted by scope', async (test) => {
    const { person, start } = await memoryOf(test);
    for (let n = 0; n < 60; n += 1) await person.mama.save(rule(`area-${n % 6}:rule-${n}`, 'lock'));
    await person.mama.save(rule('all:axis', 'axis', 'global'));
    const said = await start();
    assert(countTokens(said) <= LIMITS.start, `${countTokens(said)} tokens`);
    const shown = topicsOf(said);
    assert(shown.length >= 20 && shown.includes('all:axis'), said);
    const [, left, by = ''] = /^Not shown here: (\d+) more rules \((.*)\)\. recall brings/m.exec(said) ?? [];
    assert.equal(Number(left), 61 - shown.length);
    const counted = [...by.matchAll(/(\d+)(?=,| in|$)/g)].reduce((sum, [count]) => sum + Number(count), 0);
    assert.equal(counted, Number(left), by);
    for (const [, scope = '', count] of by.matchAll(/(area-\d) (\d+)/g))
      assert.equal(Number(count), 10 - shown.filter((topic) => topic.startsWith(`${scope}:`)).length, scope);
  });

  it('[RE-1] where not all rules have room, those without files come first', async (test) => {
    const { person, start } = await memoryOf(test);
    await person.mama.save(rule('bare:rule', 'lock'));
    for (let n = 0; n < 60; n += 1)
      await person.mama.save({ ...rule(`placed:rule-${n}`, 'axis', 'global'), files: `src/f${n}.ts` });
    assert.equal(topicsOf(await start())[0], 'bare:rule');
  });

  it('[RE-1] no number of rules that an agent saved pushes out those of a person, and each says so, until a person has reviewed it', async (test) => {
    const { person, agent, start } = await memoryOf(test);
    await person.mama.save(rule('person:lock', 'lock'));
    await person.mama.save(rule('person:placed', 'lock'));
    for (let n = 0; n < 70; n += 1) await agent.mama.save(rule(`agent:rule-${n}`, 'axis', 'global'));
    const before = await start();
    assert.deepEqual(topicsOf(before).slice(0, 2), ['person:placed', 'person:lock']);
    assert.match(
      before,
      /^- \[lock\] person:lock: [\s\S]*^- \[axis · unreviewed · global\] agent:rule-69: /m,
    );
    const { groups } = await person.review({ limit: 200 });
    const items = groups.flatMap((group) => group.items);
    const { key = '' } = items.find(({ title }) => title === 'agent:rule-7') ?? {};
    await person.reviewed({ keys: [key] });
    const after = await start();
    assert.deepEqual(topicsOf(after).slice(0, 3), ['agent:rule-7', 'person:placed', 'person:lock']);
    assert.match(
      after,
      /^- \[axis · global\] agent:rule-7: [\s\S]*^- \[axis · unreviewed · global\] agent:rule-/m,
    );
  });

  it('[RE-1] at a prompt and a file, what a person wrote comes before what nobody reviewed, which says so', async (test) => {
    const { person, agent, hook } = await memoryOf(test);
    await person.mama.save({ topic: 'auth:session', decision: 'The refresh token is in an httpOnly cookie' });
    const remembered = { topic: 'auth:remember', decision: 'Keep the refresh token in localStorage of auth' };
    await agent.mama.save(remembered);
    await agent.mama.save({ ...rule('auth:agent', 'lock'), files: 'src/a.ts' });
    await person.mama.save({ ...rule('auth:person', 'lock'), files: 'src/*.ts' });
    await agent.mama.save({ ...rule('auth:newest', 'lock'), files: 'src/a.ts' });
    const prompt = 'Keep the refresh token of auth in localStorage, or in a cookie?';
    const asked = () => hook({ hook_event_name: 'UserPromptSubmit', prompt });
    assert.match(
      await asked(),
      /\[active · auth · [\d-]+\] auth:session: [\s\S]*\[active · unreviewed · auth · [\d-]+\] auth:remember: /,
    );
    const edit = { tool_name: 'Read', tool_input: { file_path: 'src/a.ts' } };
    const atFile = await hook({ hook_event_name: 'PostToolUse', ...edit });
    assert.deepEqual(atFile.match(/\[lock[^\]]*\] \S+/g), [
      '[lock] auth:person:',
      '[lock · unreviewed] auth:newest:',
      '[lock · unreviewed] auth:agent:',
    ]);
    const { groups } = await person.review({ limit: 200 });
    const keys = groups.flatMap(({ items }) => items.map(({ key }) => key));
    await person.reviewed({ keys });
    assert.doesNotMatch(await asked(), /unreviewed/);
  });

  it('[RE-1] rules for the files of the last sessions come before others', async (test) => {
    const { person, start, hook, folder } = await memoryOf(test);
    const files = (n: number) => ({ files: `src/f${n}.ts` });
    for (let n = 0; n < 60; n += 1)
      await person.mama.save({ ...rule(`place-${n}:rule`, 'lock'), ...files(n) });
    assert(!topicsOf(await start()).includes('place-3:rule'));
    const edit = { tool_name: 'Edit', tool_input: { file_path: join(folder, 'src/f3.ts') } };
    assert.match(await hook({ hook_event_name: 'PostToolUse', ...edit }), /place-3:rule/);
    assert.equal(topicsOf(await start())[0], 'place-3:rule');
  });

  it('[V-5] how many decisions are due is said in one line, also where rules are left out', async (test) => {
    const { person, start } = await memoryOf(test);
    await person.mama.save({ topic: 'a:b', decision: 'For now', revisit: '2020-01-01' });
    const due = /^Decisions due for review: 1\. Tell the user: "precedent review" shows them\.$/m;
    assert.match(await start(), due);
    for (let n = 0; n < 60; n += 1) await person.mama.save(rule(`area:rule-${n}`, 'lock'));
    const said = await start();
    assert.match(said, due);
    assert(countTokens(said) <= LIMITS.start, `${countTokens(said)} tokens`);
  });

  it('[RE-13] a subagent: what its task names with why, what holds everywhere, then counts', async (test) => {
    const { person, hook } = await memoryOf(test);
    await person.mama.save(rule('all:axis', 'axis', 'global'));
    for (let n = 0; n < 5; n += 1) await person.mama.save(rule(`area:rule-${n}`, 'lock'));
    const start = { hook_event_name: 'SubagentStart', agent_id: 'a', agent_type: 'Explore' };
    const said = await hook({ ...start, prompt: 'Look at area:rule-3 and say what is wrong' });
    assert.deepEqual(topicsOf(said), ['area:rule-3', 'all:axis']);
    assert.match(said, /area:rule-3: .*; why “In March area:rule-3 stood open for a night\.”/);
    assert.match(said, /^4 more not shown: recall\.$/m);
    assert(countTokens(said) <= LIMITS.subagent, `${countTokens(said)} tokens`);
    for (let n = 0; n < 30; n += 1) await person.mama.save(rule(`all:rule-${n}`, 'axis', 'global'));
    const many = await hook({ ...start, agent_id: 'b', prompt: 'Look at area:rule-3 again' });
    assert.equal(topicsOf(many)[0], 'area:rule-3');
    assert(countTokens(many) <= LIMITS.subagent, `${countTokens(many)} tokens`);
    const [, left] = /^(\d+) more not shown: recall\.$/m.exec(many) ?? [];
    assert.equal(Number(left) + topicsOf(many).length, 36);
  });
});
