import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultOf, workbench } from './support/program.ts';

const RULE = ['auth:session', '세션은 데이터베이스에 저장하고 캐시에는 두지 않는다', '--scope', 'auth'];
const SAVE = { decision: 'Keep each session in a cache', scope: 'auth' };

describe('what a save is checked against, by its faces', () => {
  it('[RE-9] a person at the command line sees the list once, and so does an agent', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['tool', 'mama_save', ...RULE, '--strength', 'lock']);
    const saved = (topic: string) => bench.succeed(['decide', topic, SAVE.decision, '--scope', 'auth']);
    assert.match(
      await saved('auth:login'),
      /Check the decision against these.*\n\s+lock auth:session: 세션은/,
    );
    assert.doesNotMatch(await saved('auth:again'), /Check the decision against/);
    const agent = await bench.connect({ name: 'claude-code', version: '1' });
    const list = async (topic: string) =>
      (resultOf(await agent.ask('mama_save', { ...SAVE, topic })) as { check_against?: string[] })
        .check_against;
    assert.match((await list('auth:agent'))?.[1] ?? '', /^lock auth:session: 세션은/);
    assert.equal(await list('auth:twice'), undefined);
  });
});
