import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import type { Facts } from '../src/domain/import/facts.ts';
import { adr } from '../src/interchange/importers/adr/adr.ts';
import { agents } from '../src/interchange/importers/agents/agents.ts';
import type { Machine } from '../src/interchange/importers/importer.ts';
import { sourcesHere } from '../src/memory/importing.ts';
import { scratch } from './support/engines.ts';

function machineWith(files: Record<string, string>): Machine {
  const folder = join(scratch(), 'garden');
  mkdirSync(folder);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return { folder, home: join(scratch(), 'home'), platform: 'linux', env: {} };
}

const read = (files: Record<string, string>): Facts => adr.read(machineWith(files).folder, {});
/** The entries of one log. */
const logged = (text: string) => read({ 'DECISIONS.md': `# Decisions\n\n${text}` }).decisions;
const textsOf = (text: string) => logged(text).map((each) => each.text);
const day = (at: number | undefined) => new Date(at ?? 0).toISOString().slice(0, 10);

const ENTRY = '# Log\n\n## 2026-03-04: Water at night\n\nIt is cool.\n';
const RECORD =
  '# Mow by hand\n\n## Status\n\nAccepted\n\n## Context\n\nNoise.\n\n## Decision\n\nWe mow the whole lawn by hand, twice a month.\n';

describe('logs of decisions in a repository', () => {
  it('[SR-1] [SR-2] a log is found without a path: at the top, in docs, in a memory bank, in a hidden folder', () => {
    for (const file of [
      'DECISIONS.md',
      'docs/decision-log.md',
      'doc/architecture/decisions.mdx',
      'memory-bank/decisionLog.md',
      '.github/decisions.md',
      'docs/ADR.md',
    ])
      assert.deepEqual(
        adr
          .places(machineWith({ [file]: ENTRY, 'README.md': '# Garden\n' }))
          .map((each) => each.slice(-file.length)),
        [file],
      );
    const machine = machineWith({
      'DECISIONS.md': ENTRY,
      'docs/adr/0001-mow.md': RECORD,
      'docs/tasks/hedge/adr.md': ENTRY,
      'test/decisions.md': ENTRY,
      'node_modules/x/DECISIONS.md': ENTRY,
    });
    const { decisions, read: files = [] } = adr.readAll?.(adr.places(machine), {}) ?? {};
    assert.equal(decisions?.length, 2);
    assert.deepEqual(files.map(({ what }) => what).sort(), ['DECISIONS.md', 'docs/adr/0001-mow.md']);
  });

  it('[SR-1] [SR-2] a numbered file that is named is one record, whatever lists stand in its head', () => {
    const head =
      '- Start Date: 2026-03-04\n- RFC PR: [rfcs/0003](https://example.com/3)\n- Issue: [7](https://example.com/7)';
    const said = '# Summary\n\nLawns are mown by hand.\n\n# Motivation\n\nNoise.\n';
    const { folder } = machineWith({ 'text/0003-mow.md': `${head}\n\n${said}` });
    const whole = adr.read(join(folder, 'text'), {}).decisions.map(({ text }) => text);
    const one = adr.read(join(folder, 'text/0003-mow.md'), {}).decisions.map(({ text }) => text);
    assert.equal(one.length, 1);
    assert.deepEqual(one, whole);
  });

  it('[SR-5] what git keeps is no file of a folder of records', () => {
    const { folder } = machineWith({ '0001-mow.md': RECORD, '0002-hoe.md': RECORD.replace('mow', 'hoe') });
    mkdirSync(join(folder, '.git'));
    writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
    const { decisions, skipped } = adr.read(folder, {});
    assert.deepEqual([decisions.length, skipped], [2, []]);
  });

  it('[SR-1] [SR-5] auto shows a log and records as one source, and documents alone as a table without a decision', () => {
    const both = sourcesHere(machineWith({ 'DECISIONS.md': ENTRY, 'docs/adr/0001-mow.md': RECORD }));
    assert.deepEqual(
      both.map(({ source, holds, plan }) => [source, holds?.decisions, plan?.rows.length]),
      [['adr', 2, 2]],
    );
    const none = sourcesHere(machineWith({ 'README.md': '# Garden\n', 'docs/soil.md': '# Soil\n\nClay.\n' }));
    assert.deepEqual(
      none.map(({ source, holds, plan }) => [source, holds?.decisions, plan?.files]),
      [['adr', 0, { found: 2, taken: 0, leftOut: 2 }]],
    );
    assert.deepEqual(sourcesHere(machineWith({})), []);
  });

  it('[SR-5] the plan of agents says of records, logs and skills what they are', () => {
    const { folder } = machineWith({
      'AGENTS.md': '# Rules\n\nWater.\n',
      'docs/adr/0001-mow.md': RECORD,
      'docs/decisions.md': ENTRY,
      'skills/prune/SKILL.md': '# Prune\n',
      'guide.mdx': '# Guide\n',
    });
    const why = Object.fromEntries(agents.read(folder, {}).skipped.map((each) => [each.what, each.why]));
    assert.match(why['docs/adr/0001-mow.md'] ?? '', /^in a folder of decision records/);
    assert.match(why['docs/decisions.md'] ?? '', /^a log of decisions/);
    assert.match(why['skills/prune/SKILL.md'] ?? '', /^a skill/);
    assert.match(why['guide.mdx'] ?? '', /^neither instructions nor notes/);
  });

  it('[SR-2] a heading with a list of fields below it is an entry, whatever it says; its lines go on', () => {
    for (const [open, close] of [
      ['**', '**'],
      ['', ''],
    ]) {
      const field = (name: string, text: string) => `- ${open}${name}${close}: ${text}\n`;
      const [one, two, ...others] = logged(
        `## ADR-L1: Hedge of yew\n\n${field('Background', 'It is windy.')}${field('결정', 'We plant yew along\n  the road.')}${field('Reason', 'It is dense.')}
## Rent the mower\n\n${field('Decision', 'We rent it.')}${field('Status', 'Superseded\n  since we own one')}`,
      );
      assert.equal(others.length, 0);
      assert.equal(one?.text, 'Hedge of yew: We plant yew along the road.');
      assert.match(one?.reasoning ?? '', /windy[\s\S]*dense/);
      assert.equal(one?.withdrawn, undefined);
      assert.equal(two?.text, 'Rent the mower: We rent it.');
      assert.match(two?.withdrawn?.reason ?? '', /^Superseded since we own one$/);
    }
  });

  it('[SR-2] a word with a number is no id; what most entries begin with, with other numbers, is one', () => {
    const words = [
      'B12 for pale leaves',
      'NPK-7 in May',
      'PH5 under roses',
      '12-hour days in June',
      '2WD tractor',
    ];
    const headed = words.map((each) => `## ${each}\n\n**Decision:** We do.\n\n`).join('');
    assert.deepEqual(textsOf(headed).sort(), words.map((each) => `${each}: We do.`).sort());
    assert.deepEqual(textsOf(words.map((each) => `- 2026-05-06: ${each}`).join('\n')), words);
    const rows = words.map((each) => `| Bed | ${each} | Yield |`).join('\n');
    assert.deepEqual(textsOf(`| Topic | Decision | Why |\n|---|---|---|\n${rows}\n`), words);
    assert.deepEqual(textsOf('## GR-1: Dig deep\n\nClay.\n\n## GR-2: Dig in autumn\n\nFrost.\n'), [
      'Dig deep: Clay.',
      'Dig in autumn: Frost.',
    ]);
    assert.deepEqual(
      textsOf('## P1 Dig deep\n\nA.\n\n## P2 Dig early\n\nB.\n\n## P3 Dig late\n\nC.\n').length,
      3,
    );
  });

  it('[SR-5] a number links inside its own log or folder, and never to a later date', () => {
    const { decisions } = read({
      'docs/adr/0001-mow.md': RECORD,
      'docs/adr/0002-rake.md': RECORD.replace('Mow by hand', 'Rake')
        .replace('Noise.', 'As ADR-1.')
        .replace('mow', 'rake'),
      'beds/decisions.md':
        '# Log\n\n## ADR-1: Dig deep\n\nDate: 2026-05-01\n\nAs ADR-2 says.\n\n## ADR-3: Dig in autumn\n\nDate: 2026-04-01\n\nSee ADR-1.\n',
    });
    const links = decisions.flatMap(({ text, links: of = [] }) =>
      of.map(({ to }) => `${text.split(':')[0]} > ${to}`),
    );
    assert.deepEqual(
      links.map((each) => each.replace(/> .*(docs|beds)/, '> $1')),
      ['Rake > docs/adr/0001-mow.md'],
    );
  });

  it('[SR-2] where nothing else is an entry, paragraphs that begin with bold words are', () => {
    const leads =
      '## Water\n\n**Pump** — by hand, twice a day.\nThe well is low.\n\n**수조**: 빗물만 받는다.\n\n## Soil\n\nRake first.\n';
    assert.deepEqual(textsOf(leads), [
      'Pump: by hand, twice a day. The well is low.',
      '수조: 빗물만 받는다.',
    ]);
    // Fields, bold words within a paragraph, one lead alone, and leads beside entries are none.
    assert.deepEqual(textsOf('**Status:** accepted\n\n**Reason:** it is cheap.\n'), []);
    assert.deepEqual(textsOf('We water.\n**Pump** — by hand.\n**Well** — deep.\n'), []);
    assert.deepEqual(textsOf('**Pump** — by hand.\n'), []);
    assert.equal(textsOf(`${leads}\n## 2026-03-04: Water at night\n\n**Pump** — off.\n`).length, 1);
  });

  it('[SR-5] an entry replaces another one by a field or a sentence, and an id of one letter links inside its log, however its digits are written', () => {
    for (const said of ['Supersedes: D7', '**Supersedes:** D-007', 'Supersedes D-7.'])
      assert.deepEqual(
        logged(
          `## D-007: Water at noon\n\nIt is warm.\n\n## D-008: Sow the beans in rows\n\nD3 draws.\n\n## D-009: Water at night\n\n${said}\n\nIt is cool.\n`,
        ).map(({ topic, text }) => [topic, text]),
        [
          ['adr:d-007-water-at-noon', 'Water at noon: It is warm.'],
          ['adr:d-007-water-at-noon', 'Water at night: It is cool.'],
          ['adr:d-008-sow-the-beans-in-rows', 'Sow the beans in rows'],
        ],
        said,
      );
    const [first, , third] = logged(
      '## D1 — Water the garden at noon\n\nIt is warm.\n\n## D2 — Sow the beans in rows\n\nD3.js draws.\n\n## D3 — Keep the pump off\n\nBesides D1 it is loud.\n',
    );
    assert.deepEqual(third?.links, [{ relationship: 'builds_on', to: first?.key }]);
  });

  it('[SR-2] [SR-3] a day in an id, a struck entry, a checklist and code in a title are read as they are meant', () => {
    const [first, second] = logged(
      '## D-2026030401: Water at night\n\nIt is cool.\n\n## ~~D-2026030501: Dig the pond with `__init__`~~\n\n~~It is wet.~~\n',
    );
    assert.deepEqual([day(first?.at), day(second?.at)], ['2026-03-04', '2026-03-05']);
    assert.deepEqual([first?.withdrawn, typeof second?.withdrawn], [undefined, 'object']);
    assert.equal(second?.text, 'Dig the pond with `__init__`');
    // Its name is the one that it had before.
    assert.equal(second?.key, 'DECISIONS.md#d-2026030501-dig-the-pond-with-init');
    const checked = logged('- [x] Mow by hand\n- [ ] Water at night?\n');
    assert.deepEqual(
      checked.map(({ text, confidence }) => [text, confidence]),
      [
        ['Mow by hand', undefined],
        ['Water at night?', 0.3],
      ],
    );
    // Beside entries, a checklist is work.
    assert.equal(logged('## 2026-03-04: Water at night\n\n- [x] buy a hose\n').length, 1);
  });

  it('[SR-2] a heading in two languages is one in either', () => {
    const two =
      '# 잔디\n\n## 상태 (Status)\n\nAccepted\n\n## 맥락 (Context)\n\n소음.\n\n## 결정 (Decision)\n\n손으로 깎는다.\n';
    const { decisions } = read({ 'docs/adr/0001-mow.md': two });
    assert.deepEqual(
      decisions.map(({ text, reasoning }) => [text, reasoning]),
      [['잔디: 손으로 깎는다.', '맥락 (Context)\n소음.']],
    );
  });

  it('[SR-3] a paragraph that tells what was so before is a reason, where a later one says what is so since', () => {
    for (const [before, since] of [
      ['Initially it was decided to dig.', 'The soil suffers. Therefore we only rake.'],
      ['Momenteel spitten we alles.', 'We harken vanaf nu alleen.'],
      ['현재는 땅을 판다.', '따라서 갈퀴만 쓴다.'],
    ]) {
      const { decisions } = read({
        'docs/adr/0001-soil.md': `# Soil\n\n## Status\n\nAccepted\n\n## Context\n\nClay.\n\n## Decision\n\n${before}\n\n${since}\n`,
      });
      assert.equal(decisions[0]?.text, `Soil: ${since}`);
      assert.match(decisions[0]?.reasoning ?? '', new RegExp(before ?? ''));
    }
  });

  it('[SR-3] a sentence as a state: of a part, after another state, with its day, and as a reason', () => {
    const [part, both, told] = logged(`## 2026-01-01: Rent a shed

Decision: we rent one.

Status: superseded for tools on 2026-02-02 by the cellar. The shed for wood remains current.

## 2026-01-02: Dig by hand

Decision: we dig.

Status: fulfilled and superseded on 2026-02-03 by the plough.

## 2026-01-03: Buy seed

Decision: we buy it.

Status: done in the first spring; saving our own seed comes with the second.
`);
    assert.equal(part?.withdrawn, undefined);
    assert.match(part?.reasoning ?? '', /shed for wood remains/);
    assert.deepEqual([day(both?.withdrawn?.at), day(both?.at)], ['2026-02-03', '2026-01-02']);
    assert.match(told?.reasoning ?? '', /comes with the second/);
  });

  it('[SR-1] [SR-5] a template, and an entry that became a record, are left out by name', () => {
    const log =
      '# Task\n\n## ADR-L1: Mow by hand\n\n- **Decision**: We mow.\n\n## ADR-L2: Sweep\n\n- **Decision**: We sweep.\n';
    const { decisions, skipped } = read({
      'docs/adr/0001-mow.md': RECORD,
      'tasks/lawn/adr.md': log,
      'tasks/_templates/adr.md': '# Task\n\n## ADR-L1: Title of it\n\n- **Decision**: ...\n',
    });
    assert.deepEqual(
      decisions.map(({ text }) => text.split(':')[0]),
      ['Mow by hand', 'Sweep'],
    );
    assert.deepEqual(skipped, [
      { what: 'tasks/_templates/adr.md', why: 'a template' },
      { what: 'tasks/lawn/adr.md#adr-l1-mow-by-hand', why: 'the same decision as in docs/adr/0001-mow.md' },
    ]);
  });

  it('[SR-2] Korean names of a choice, of a decision with a number and of a heading above decisions are known', () => {
    assert.deepEqual(
      textsOf('## 핵심 결정\n\n| 결정 | 선택 | 근거 |\n|---|---|---|\n| 울타리 | 주목 | 바람 |\n'),
      ['울타리: 주목'],
    );
    assert.deepEqual(
      textsOf('## 결정 1: 잔디를 손으로 깎는다\n\n**채택**: 손으로 깎는다.\n\n**이유**: 소음\n'),
      ['잔디를 손으로 깎는다: 손으로 깎는다.'],
    );
  });

  it('[SR-2] entries of one day keep the order of their log, also where the newest is first', () => {
    const titles = ['Sow the beans', 'Mow the lawn', 'Dig the pond'];
    const log = (all: string[], first: number) =>
      all
        .map((title, index) => `## 2026-06-0${index === 2 ? 4 - first : first}: ${title}\n\nWe do.\n`)
        .join('\n');
    const order = (text: string) => textsOf(text).map((each) => each.split(':')[0]);
    assert.deepEqual(order(log(titles, 1)), titles);
    assert.deepEqual(order(log(titles, 3)), [...titles].reverse());
  });
});
