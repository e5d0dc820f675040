import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultOf, workbench } from './support/program.ts';

const DECISIONS = [
  ['infra:cluster', 'Kubernetes runs the gateway'],
  ['api:style', 'The API is plain REST'],
  ['infra:region', '게이트웨이는 서울 리전에 있다'],
] as const;

describe('what a search says of its answer', { concurrency: 2 }, () => {
  it('[T-8] [T-9] the command line says first what was read otherwise, and that nothing answers', async (test) => {
    const bench = workbench(test, 'here');
    for (const [topic, text] of DECISIONS) await bench.succeed(['tool', 'mama_save', topic, text]);
    for (const command of [['search'], ['recall'], ['tool', 'mama_search']]) {
      const ask = (words: string) => bench.succeed([...command, words]);
      assert.match(
        await ask('kuberntes'),
        /^"kuberntes" is in hardly any record: also searched for "kubernetes"\ninfra:cluster /,
      );
      assert.match(
        await ask('rust'),
        /^No (record|decision) shares enough of these words in workspace bench \(3 looked at/,
      );
      for (const question of [
        'which gateway library draws charts on mobile phones',
        '서울 대시보드의 그래프 색상은 누가 골랐나',
      ])
        assert.match(
          await ask(question),
          /^No \w+ shares enough of these words (in workspace bench )?\(3 looked at, English and Korean\)[\s\S]*names:\n[0-9a-f]{8} infra:/,
          question,
        );
      assert.match(await ask('게이트웨이는 어느 리전'), /^infra:region /);
    }
  });

  it('[RE-7] recall tells a client the words of other rules once, and again those that the task names', async (test) => {
    const bench = workbench(test, 'here');
    const rules = ['배는 항구에 묶는다', '돛은 젖은 채로 접지 않는다'];
    for (const [at, rule] of rules.entries())
      await bench.succeed([
        'tool',
        'mama_save',
        `boat:rule-${at}`,
        rule,
        '--strength',
        'lock',
        '--files',
        `src/boats-${at}/**`,
      ]);
    const [one, other] = [await bench.connect({}), await bench.connect({})];
    const recall = async ({ ask }: typeof one, task: string) =>
      resultOf(await ask('recall', { task })) as { others?: string[]; others_named?: string };
    const words = (told: { others?: string[] }) =>
      (told.others ?? [])
        .join()
        .match(/boat:rule-\d/g)
        ?.sort();
    assert.deepEqual(words(await recall(one, 'paint the fence')), ['boat:rule-0', 'boat:rule-1']);
    const again = await recall(one, 'paint the gate');
    assert.equal(words(again), undefined);
    assert.match(again.others_named ?? '', /boat:rule-[01], boat:rule-[01]: decision_get/);
    assert.match(JSON.stringify(await recall(one, 'change src/boats-0/rope.ts')), /배는 항구에 묶는다/);
    assert.deepEqual(words(await recall(other, 'paint the fence')), ['boat:rule-0', 'boat:rule-1']);
    const whole = await recall(one, '돛은 젖은 채로 접나');
    assert.match(JSON.stringify(whole), /"decision":"돛은 젖은 채로 접지 않는다"/);
  });

  it('[T-8] [T-9] a model reads it first, too', async (test) => {
    const bench = workbench(test, 'here');
    for (const [topic, text] of DECISIONS) await bench.succeed(['tool', 'mama_save', topic, text]);
    await bench.succeed(['tool', 'mem_save', 'Clusters', 'Kubernetes has three nodes']);
    const server = await bench.connect({});
    for (const name of ['recall', 'mama_search', 'mem_search']) {
      const ask = async (query: string) =>
        JSON.stringify(resultOf(await server.ask(name, name === 'recall' ? { task: query } : { query })));
      const read = await ask('kuberntes');
      assert.match(read, /^\{"read_as":\{"kuberntes":"kubernetes"\},/);
      assert.doesNotMatch(read, /because|%/);
      assert.match(
        await ask('rust'),
        /^\{"note":"No \w+ shares enough of these words \([1-4] looked at[^"]+","answered":false,/,
      );
      const question = 'which kubernetes library draws charts on mobile phones';
      assert.match(
        await ask(question),
        /^\{"note":"No \w+ shares enough of these words [^"]*Nearest names:","answered":false,.*"names":\["/,
      );
    }
  });
});
