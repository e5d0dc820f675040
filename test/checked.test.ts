import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultOf, workbench } from './support/program.ts';

const RULE = ['auth:session', '세션은 데이터베이스에 저장하고 캐시에는 두지 않는다', '--scope', 'auth'];
const SAVE = { decision: 'Keep each session in a cache', scope: 'auth' };

describe('what a save is checked against, by its faces', () => {
  it('[RE-8] [RE-9] a person reads what a save without warnings was compared with, as a model does', async (test) => {
    const bench = workbench(test, 'here');
    const saved = async (...words: string[]) => (await bench.succeed(words)).replace(/\s+/g, ' ');
    assert.doesNotMatch(await saved('decide', '가마:흙', '도자기는 1300도에서 굽는다'), /compared/);
    assert.doesNotMatch(await saved('decide', 'cache:store', 'Caches use Redis'), /compared/);
    assert.match(
      await saved(
        'decide',
        '배송:포장',
        '깨지기 쉬운 도자기 상자에는 빨간 스티커를 두 장 붙이고 손으로 옮긴다',
      ),
      /compared by words, with 1 decision that shares some, not with what says it in .* another language/,
    );
    assert.doesNotMatch(await saved('decide', 'cache:where', 'Caches use Redis'), /compared/);
  });

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
