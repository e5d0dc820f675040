import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DecisionFact } from '../src/domain/import/facts.ts';
import { openMemory } from '../src/index.ts';
import { bytesOf } from './support/facts.ts';
import { readRecords as read } from './support/records.ts';

const day = ({ at, isUndated }: DecisionFact) =>
  isUndated ? undefined : new Date(at).toISOString().slice(0, 10);
const one = (text: string): DecisionFact => {
  const { decisions, skipped } = read({ 'docs/adr/0001-one.md': text });
  assert.equal(decisions.length, 1, JSON.stringify(skipped));
  return decisions[0] as DecisionFact;
};
const decided = (text: string) => one(`# 1. Title\n\n## Status\n\nAccepted\n\n${text}\n`);

describe('records in the dialects that people write', () => {
  for (const [name, text, state] of [
    [
      'a table with names in its first column',
      '| Field | Value |\n|---|---|\n| Status | Proposed |\n| **Date** | 2024-05-06 |',
      0.3,
    ],
    [
      'a table with names in its first row',
      '| Status | Date | Authors |\n|:---|---|---:|\n| Proposed | 2024-05-06 | Kim |',
      0.3,
    ],
    ['bold words', '**Status:** Proposed  \n**Date**: 2024-05-06', 0.3],
    ['a quote', '> Status: Accepted\n> Date: 2024-05-06', undefined],
    ['Spanish', '- Estado: propuesto\n- Fecha: 2024-05-06', 0.3],
    ['French, with a blank before the colon', '* statut : accepté\n* date : 2024-05-06', undefined],
    ['German', '- Status: Vorgeschlagen\n- Datum: 06.05.2024', 0.3],
    ['Japanese, with wide colons', 'ステータス：提案\n日付：2024年5月6日', 0.3],
    ['Chinese', '状态：已接受\n日期：2024/5/6', undefined],
    ['Korean', '상태: 제안됨\n날짜: 2024. 5. 6.', 0.3],
    ['an emoji', 'Status: 🟡 **Proposed**\nDate: May 6th, 2024', 0.3],
    ['checked boxes', '## Status\n\n- [ ] Accepted\n- [x] Proposed\n\n## Date\n\n6 May 2024', 0.3],
    [
      'a badge',
      '## Status\n\n[![badge](https://img.example/badge/ADR/proposed/orange)](https://x.example)\n\n## Date\n\n2024-05-06',
      0.3,
    ],
    ['choices nobody made', '## Status\n\nProposed | Accepted | Rejected\n\n## Date\n\n2024-05-06', 0.3],
    [
      'a choice that is bold',
      '## Status\n\nProposed | **Accepted** | Rejected\n\n## Date\n\n2024-05-06',
      undefined,
    ],
    ['a time behind the day', 'Status: Accepted\nDate: 2024-05-06T09:30:00+09:00', undefined],
  ] as const) {
    it(`[I-1] state and date: ${name}`, () => {
      const fact = one(`# 1. Use Redis\n\n${text}\n\n## Decision\n\nWe use Redis.\n`);
      assert.deepEqual(
        [fact.text, fact.confidence, day(fact), fact.withdrawn],
        ['Use Redis: We use Redis.', state, '2024-05-06', undefined],
      );
    });
  }

  for (const [status, reason] of [
    ['Abandoned', 'Abandoned'],
    ['Depreciated.', 'Depreciated.'],
    ['abgelehnt', 'Abgelehnt'],
    ['Rechazado', 'Rechazado'],
    ['却下', '却下'],
    ['已废弃', '已废弃'],
    ['❌ Rejected (2024-01-02)', 'Rejected (2024-01-02)'],
    ['Superseded by the platform strategy', 'Superseded by the platform strategy'],
    ['Accepted\n\n> Note that this ADR was overruled in the meantime.', 'Overruled in the meantime'],
  ] as const) {
    it(`[I-1] what is no longer in force is withdrawn: ${status}`, () => {
      const fact = one(
        `# 1. Use Redis\n\nStatus: ${status}\nDate: 2023-12-01\n\n## Decision\n\nWe use Redis.\n`,
      );
      assert.equal(fact.withdrawn?.reason, reason);
    });
  }

  it('[I-1] a supersession is one in whatever words, and from either end', () => {
    for (const [old, next] of [
      ['Superseded by ADR-0002', 'Accepted'],
      ['Superseded (see [ADR 2](./0002-next.md))', 'Accepted'],
      ['Superseded\n\n[Next](0002-next.md)', 'Accepted'],
      ['Replaced with ADR-2', 'Accepted'],
      ['Ersetzt durch ADR-0002', 'Akzeptiert'],
      ['Remplacé par [0002](0002-next.md)', 'Accepté'],
      ['Reemplazado por `0002`', 'Aceptado'],
      ['대체됨 (ADR-0002)', '승인'],
      ['ADR-0002로 대체됨', '승인'],
      ['ADR-0002 に置き換えられた', '承認'],
      ['已被 ADR-0002 取代', '已接受'],
      ['Accepted', 'Accepted; supersedes ADR-0001'],
      ['Accepted', 'Accepted (replaces [the old one](../adr/0001-old.md), for now)'],
      ['승인', '승인, ADR-1을 대체'],
      ['Accepted', 'Accepted\n\n## Supersedes\n\n- [[0001-old]]'],
      [
        'Accepted',
        'Accepted\n\n## More Information\n\n* Supersedes [ADR-1](https://git.example/repo/docs/adr/0001-old.md)',
      ],
    ] as const) {
      const facts = read({
        'docs/adr/0001-old.md': `# 1. Old\n\n## Status\n\n${old}\n\n## Decision\n\nOne.\n`,
        'docs/adr/0002-next.md': `# 2. Next\n\n## Status\n\n${next}\n\n## Decision\n\nTwo.\n`,
      });
      const seen = facts.decisions.map(({ topic, text, withdrawn }) => [topic, text, withdrawn]);
      assert.deepEqual(
        [seen, facts.warnings],
        [
          [
            ['adr:0001-old', 'Old: One.', undefined],
            ['adr:0001-old', 'Next: Two.', undefined],
          ],
          [],
        ],
        `${old} / ${next}`,
      );
    }
  });

  it('[Q-7] a successor is never invented: the year of a name is no number, and of two with one number none is meant', () => {
    const old = (successor: string) =>
      `# Wrap SOAP\n\n## Status\n\nSuperseded by ${successor}\n\n## Decision\n\nOne.\n`;
    const record = (title: string) =>
      `# ${title}\n\n## Status\n\nAccepted\n\n## Decision\n\n${title} it is.\n`;
    const chainsOf = (files: Record<string, string>) => {
      const { decisions } = read(files);
      const texts = Map.groupBy(decisions, ({ topic }) => topic);
      const reason = decisions.find(({ text }) => text === 'Wrap SOAP: One.')?.withdrawn?.reason;
      return { texts: [...texts.values()].map((each) => each.map(({ text }) => text)), reason };
    };
    const dated = {
      'docs/adr/2025-01-02-layout.md': record('Folders'),
      'docs/adr/2025-05-09-proxy.md': record('Proxy'),
    };
    const elsewhere = chainsOf({
      ...dated,
      'docs/adr/2025-03-24-wrapper.md': old('[x](../../decisions/adr/2025-05-09-proxy.md)'),
    });
    assert(
      elsewhere.texts.some((each) => each.join() === 'Wrap SOAP: One.,Proxy: Proxy it is.'),
      `${elsewhere.texts}`,
    );
    for (const files of [
      { ...dated, 'docs/adr/2025-03-24-wrapper.md': old('[x](2025-05-09-prox.md)') },
      {
        'docs/adr/0003-layout.md': record('Folders'),
        'docs/adr/0003-proxy.md': record('Proxy'),
        'docs/adr/0002-wrapper.md': old('ADR-3'),
      },
    ]) {
      const { texts, reason } = chainsOf(files);
      assert.deepEqual(
        texts.map((each) => each.length),
        [1, 1, 1],
        `${texts}`,
      );
      assert.match(reason ?? '', /^Superseded by /, 'it says what the record says');
    }
  });

  it('[I-1] what only sounds like a supersession is not one, and nothing is said of it', () => {
    const facts = read({
      'docs/adr/0001-a.md':
        '# 1. A\n\n**Status:** Partially superseded by ADR-0003\n**Supersedes:** None\n\n## Decision\n\nA.\n',
      'docs/adr/0002-b.md':
        '# 2. B\n\nStatus: Accepted\nSupersedes: _(none)_\n\nIt replaces 3 services.\n\n## Decision\n\nB.\n',
      'docs/adr/0003-c.md':
        '# 3. C\n\nStatus: Accepted\nSupersedes: None (extends ADR-0002)\nSupersedes: part of `docs/old.md` and what people said\n\n## Decision\n\nC.\n',
    });
    assert.deepEqual(
      facts.decisions.map(({ topic, links, withdrawn }) => [topic, links, withdrawn]),
      [
        ['adr:0001-a', [], undefined],
        ['adr:0002-b', [], undefined],
        [
          'adr:0003-c',
          [
            { relationship: 'builds_on', to: 'docs/adr/0001-a.md' },
            { relationship: 'builds_on', to: 'docs/adr/0002-b.md' },
          ],
          undefined,
        ],
      ],
    );
    assert.deepEqual(facts.warnings, []);
  });

  it('[I-1] headings of any kind and level, and none in code', () => {
    const code = '```sh\n# Not a title\n## Status\nRejected\n```';
    for (const text of [
      `${code}\n\n# 1. Use Redis\n\n## Status\n\nProposed\n\n## Decision\n\n${code}\n\nWe use Redis.\n`,
      'ADR-0001: Use Redis\n===================\n\nStatus\n------\nProposed\n\nDecision\n--------\n\nWe use Redis.\n',
      '# ADR 1 — Use Redis\n\n# Status\n\nProposed\n\n# Decision\n\nWe use Redis.\n',
      '# [ADR-1] Use Redis #\n\n### Status:\n\nProposed\n\n### Decision\n\nWe use Redis.\n',
      '---\ntitle: "ADR-0001: Use Redis"\nStatus: Proposed\n---\n\n## 1. Context\n\nNo.\n\n## 2. **Decision**\n\nWe use Redis.\n',
      '# Architecture Decision Record: Use Redis\r\n\r\n- **Status** : Proposed\r\n\r\n**Decision:** We use Redis.\r\n',
    ]) {
      const { text: said, confidence } = one(text);
      assert.deepEqual([said, confidence], ['Use Redis: We use Redis.', 0.3], text);
    }
  });

  it('[I-1] what was decided is said whole, and the rest of its section is its reason', () => {
    for (const [section, text] of [
      ['We use:\n\n- Redis\n- a replica\n\nNothing else.', 'Title: We use:\n- Redis\n- a replica'],
      ['### The cache\n\n![picture](a.png)\n\nWe use\nRedis.', 'Title: We use Redis.'],
      ['Chosen option: "Redis", because\n\n* fast\n* known', 'Title: Redis'],
      ['Chosen option: "Good, because cheap", because it is.', 'Title: Good, because cheap, because it is.'],
      ['Chosen option: "Use `Redis`", because\n\n## Links', 'Title: Use `Redis`'],
      ['Chosen option: **2**: "Redis", because fast.', 'Title: **2**: "Redis", because fast.'],
      ['Chosen option: "Redis".', 'Title: Redis'],
      ['선택한 옵션: "레디스", because 빠르다.', 'Title: 레디스, because 빠르다.'],
    ] as const) {
      assert.equal(decided(`## Decision Outcome\n\n${section}`).text, text);
    }
    const { reasoning } = decided(
      '## Context\n\nSlow.\n\n## Decision Outcome\n\nChosen option: "Redis", because fast.\n\n### Consequences\n\n* Good\n\n## 결과\n\n없음\n\n## Notes\n\nNo.',
    );
    assert.equal(reasoning, 'Context\nSlow.\n\nDecision Outcome\n### Consequences\n\n* Good\n\n결과\n없음');
  });

  it('[I-1] a template, by its name or its title, is not a decision, and a decision about one is', () => {
    const record = '\n\nStatus: Accepted\n\n## Decision\n\nYes.\n';
    const { decisions, skipped } = read({
      'docs/adr/0001-use-a-template-engine.md': `# Use a template engine${record}`,
      'docs/adr/0000-adr-template.md': `# Short title${record}`,
      'docs/adr/PLANTILLA.md': `# Título${record}`,
      'docs/adr/ADR-XXX.md': `# ADR-XXX: [Title]${record}`,
      'docs/adr/INDICE.md': `# Índice${record}`,
    });
    assert.deepEqual(
      decisions.map(({ text }) => text),
      ['Use a template engine: Yes.'],
    );
    assert.equal(skipped.length, 4);
  });

  it('[I-1] records of every package come, and those of a repository that keeps them in a folder of its own', async () => {
    const record = (title: string, more = '') =>
      `# ${title}\n\n- Status: accepted${more}\n\n## Decision\n\nYes.\n`;
    const packages = {
      '.log4brains.yml':
        'project:\n  adrFolder: ./docs/adr\n  packages:\n    - name: web\n      adrFolder: ./packages/web/adr\n',
      'docs/adr/20240102-whole.md': record('Whole'),
      'packages/web/adr/20240103-part.md': record(
        'Part',
        '\n- Supersedes: [20240102-whole](../../../docs/adr/20240102-whole.md)',
      ),
    };
    const facts = read(packages);
    assert.deepEqual(
      facts.decisions.map(({ key, topic, at }) => [key, topic, new Date(at).toISOString().slice(0, 10)]),
      [
        ['docs/adr/20240102-whole.md', 'adr:20240102-whole', '2024-01-02'],
        ['packages/web/adr/20240103-part.md', 'adr:20240102-whole', '2024-01-03'],
      ],
    );
    await using memory = await openMemory({ db: ':memory:' });
    await memory.merge(facts);
    const before = await bytesOf(memory);
    await memory.merge(read(packages));
    assert.equal(await bytesOf(memory), before);
    const own = read({
      'README.md': record('A readme with a state'),
      'notes.md': record('Another text with a state'),
      'node_modules/x/docs/adr/0001-theirs.md': record('Theirs'),
      'services/api/docs/adr/0001-api.md': record('API'),
      'services/web/architecture-decisions/1/0001-web.md': record('Web'),
    });
    assert.deepEqual(
      own.decisions.map(({ text }) => text),
      ['API: Yes.', 'Web: Yes.'],
    );
  });

  it('[I-1] a record that git left in the middle of a merge is none, by file and line, and nothing else is lost', () => {
    const marked =
      '# 1. Queue\n\nStatus: Accepted\n\n## Decision\n\n<<<<<<< HEAD\nKafka.\n=======\nRabbit.\n>>>>>>> other\n';
    const shown = `# 2. Markers\n\nStatus: Accepted\n\n## Decision\n\nWe read them.\n\n\`\`\`\n<<<<<<< HEAD\n>>>>>>> x\n\`\`\`\n`;
    const { decisions, skipped } = read({
      'docs/adr/0001-queue.md': marked,
      'docs/adr/0002-shown.md': shown,
    });
    assert.deepEqual(
      decisions.map(({ text }) => text),
      ['Markers: We read them.'],
    );
    assert.deepEqual(skipped, [
      { what: 'docs/adr/0001-queue.md', why: 'line 7 was left by a merge that was not resolved' },
    ]);
  });

  it('[I-1] every folder that is called so is read, and a record may have a folder of its own', () => {
    const record = (title: string) => `# ${title}\n\nStatus: accepted\n\n## Decision\n\nYes.\n`;
    const { decisions, skipped } = read({
      'docs/decisions/0001-api.md': record('API'),
      'documentation/wiki/product/decisions/0001-product.md': record('Product'),
      'decision-record/0001-forms.md': record('Forms'),
      'developer/decision-records/2022-02-03-integration-testing/README.md': record('Integration testing'),
      'developer/decision-records/2022-02-03-integration-testing/picture/README.md': '# How to draw\n',
      'developer/decision-records/README.md': record('Index'),
    });
    assert.deepEqual(decisions.map(({ key, text }) => [key, text]).sort(), [
      ['decision-record/0001-forms.md', 'Forms: Yes.'],
      ['developer/decision-records/2022-02-03-integration-testing/README.md', 'Integration testing: Yes.'],
      ['docs/decisions/0001-api.md', 'API: Yes.'],
      ['documentation/wiki/product/decisions/0001-product.md', 'Product: Yes.'],
    ]);
    assert(decisions.some(({ topic }) => topic === 'adr:2022-02-03-integration-testing'));
    assert.equal(skipped.length, 2);
  });

  for (const [status, confidence, reason] of [
    ['Reverted by the platform team', undefined, 'Reverted by the platform team'],
    ['Rolled back', undefined, 'Rolled back'],
    ['Review', 0.3, undefined],
    ['Decision proposed; accepting feedback', 0.3, undefined],
    ['{proposed}', 0.3, undefined],
  ] as const) {
    it(`[I-1] what a state means: ${status}`, () => {
      const fact = one(
        `---\nstatus: ${status}\ndate: 2023-12-01\n---\n# 1. Redis\n\n## Decision\n\nWe use Redis.\n`,
      );
      assert.deepEqual([fact.confidence, fact.withdrawn?.reason], [confidence, reason]);
    });
  }

  it('[I-1] a record that reverts or overrules another is its next version', () => {
    for (const [old, back] of [
      ['Reverted by ADR-2', 'Accepted. Reverts ADR-1'],
      ['Overruled by ADR-2', 'Accepted'],
      ['Accepted', 'Accepted, overrules ADR-1'],
    ]) {
      const { decisions } = read({
        'docs/adr/0001-old.md': `# 1. Old\n\nStatus: ${old}\n\n## Decision\n\nOne.\n`,
        'docs/adr/0002-back.md': `# 2. Back\n\nStatus: ${back}\n\n## Decision\n\nTwo.\n`,
      });
      assert.deepEqual(
        decisions.map(({ topic, withdrawn }) => [topic, withdrawn]),
        [
          ['adr:0001-old', undefined],
          ['adr:0001-old', undefined],
        ],
        old,
      );
    }
  });

  it('[Q-7] a site links to the pages of its records, under numbers that they once had', () => {
    const old = `# Old\n\n## Status\n\nSuperseded by [ADR 36. New](0036-new.html)\n\n## Decision\n\nNo.\n`;
    const { decisions } = read({
      'docs/adr/0015-old.md': old,
      'docs/adr/0036-other.md': '# Other\n\nStatus: Accepted\n\n## Decision\n\nYes.\n',
      'docs/adr/0037-new.md': '# New\n\nStatus: Accepted\n\n## Decision\n\nSee [it](0036-other.html).\n',
    });
    assert.deepEqual(
      decisions.map(({ topic, links = [] }) => [topic, ...links.map(({ to }) => to)]),
      [['adr:0015-old'], ['adr:0015-old', 'docs/adr/0036-other.md'], ['adr:0036-other']],
    );
  });

  const linked = (texts: Record<string, string>, ending = 'md') =>
    read(
      Object.fromEntries(
        ['1', '2', '3', '12'].map((number) => [
          `adr/00${number.padStart(2, '0')}-r${number}.${ending}`,
          `${texts[number] ?? ''}${ending === 'md' ? '\n\n## ' : '\n\n== '}Decision\n\n${texts[`${number}:`] ?? 'Yes.'}\n`,
        ]),
      ),
    ).decisions.flatMap(({ key, links = [] }) =>
      links.map(({ relationship, to }) =>
        [key, relationship, to].join(' ').replace(/adr\/0*(\d+)\S*/g, '$1'),
      ),
    );

  it('[I-1] a record that names another in a list, a link or its text builds on it, the later one on the earlier one', () => {
    for (const texts of [
      { 2: '---\nrelated:\n  - 0001-r1.md\n---\n# Two' },
      { 2: '---\nrelates-to: [ADR-1]\n---\n# Two' },
      { 1: '# One\n\n## Related\n\n- [Two](./0002-r2.md)' },
      { 2: '# Two', '2:': 'As [we said](../adr/0001-r1.md#why), yes.' },
      { 2: '# Two', '2:': 'Unlike ADR-0001, no.' },
      { 2: '# Two', '2:': 'As [before](./0007-r1).' },
      { 1: '# One', '1:': 'See ADR 2.', '2:': 'RFC 0001 is why (ADR-1).' },
    ])
      assert.deepEqual(linked(texts), ['2 builds_on 1'], JSON.stringify(texts));
    assert.deepEqual(linked({ 2: '= Two\n\n* Depends-on:: ADR-0012, ADR-1' }, 'adoc'), [
      '2 builds_on 12',
      '2 builds_on 1',
    ]);
    for (const text of [
      'We use MADR 3 and MADR 2.1.',
      'As RFC 1 of the IETF, in 12 steps.',
      '[Two](https://git.example/pull/1) of [ADR-1](https://git.example/other/1)',
      '```\nADR-1\n```',
      'See [a guide](../guide/r1.md), [1](#note).',
      '<!-- ADR-1 -->Yes.',
    ])
      assert.deepEqual(linked({ 3: '# Three', '3:': text }), [], text);
  });

  it('[I-1] what a record names of its own chain, its versions say', () => {
    assert.deepEqual(
      linked({ 2: '# Two\n\nSupersedes ADR-1', 3: '# Three\n\nSupersedes ADR-2', '3:': 'As ADR-1 said.' }),
      [],
    );
  });

  it('[Q-7] what a record composes with is not replaced by it', () => {
    assert.deepEqual(
      linked({
        12: '# Twelve\n\nStatus: Accepted\n\n- Supersedes ADR-1 (the first), ADR-2 and composes with ADR-3',
      }),
      ['12 builds_on 3', '12 synthesizes 1'],
    );
  });

  it('[I-1] a numbered record without a heading for its decision has its title; a signpost is none, and says why', () => {
    const { decisions, skipped } = read({
      'docs/adr/0021-use-flags.md':
        '# Use feature flags\n\n## Context\n\nReleases wait.\n\n## Consequences\n\nFlags must go again.\n',
      'docs/adr/0028-moved.md': '# Moved\n\nThis one is elsewhere.\n',
      'docs/adr/0039-set-plugins.md':
        '# {short title of the solution}\n\nStatus: accepted\n\n## Decision Outcome\n\nPlugins are set by name.\n',
      'docs/adr/DRXXX-decision-record-template.md': '# A title\n\nStatus: accepted\n\n## Decision\n\nYes.\n',
      'docs/adr/ODH-ADR-0000-template.md': '# A title\n\nStatus: accepted\n\n## Decision\n\nYes.\n',
    });
    assert.deepEqual(
      decisions.map(({ text }) => text),
      ['Use feature flags', 'set plugins: Plugins are set by name.'],
    );
    assert.deepEqual(
      skipped.map(({ why }) => why),
      ['no decision record: neither a state nor a decision in it', 'a template', 'a template'],
    );
  });

  it('[I-1] a date that can only be one settles the order of days and months for its folder', () => {
    const record = (date: string) => `# A\n\nStatus: Accepted\nDate: ${date}\n\n## Decision\n\nYes.\n`;
    for (const [dates, expected] of [
      [
        ['26/03/2018', '02/08/2018'],
        ['2018-03-26', '2018-08-02'],
      ],
      [
        ['03-26-2018', '02-08-2018'],
        ['2018-03-26', '2018-02-08'],
      ],
      [
        ['26/03/2018', '03/26/2018'],
        [undefined, undefined],
      ],
      [
        ['January, 2026', '2022-09'],
        ['2026-01-01', '2022-09-01'],
      ],
    ] as const) {
      const { decisions, warnings } = read(
        Object.fromEntries(dates.map((date, at) => [`docs/adr/000${at + 1}-a.md`, record(date)])),
      );
      assert.deepEqual(decisions.map(day), expected);
      assert.equal(warnings.length, expected.filter((each) => each === undefined).length);
    }
  });

  it('[I-1] what says that it is not decided yet is a proposal', () => {
    const open = one('# 1. Title\n\n* Status:\n\n## Decision Outcome\n\nChosen option: Not yet decided.\n');
    assert.deepEqual([open.text, open.confidence], ['Title: Not yet decided', 0.3]);
    assert.equal(decided('## Decision\n\nTBD, as a word, is not written.').confidence, undefined);
  });

  it('[I-1] [I-2] a date without a colon, in braces, of acceptance before that of the beginning; what is not read is said', () => {
    const dated = (top: string, file = '0001-a.md') => {
      const front = top.startsWith('---') ? `${top}\n\n# A` : `# A\n\n${top}`;
      const { decisions, warnings } = read({
        [`docs/adr/${file}`]: `${front}\n\n## Status\n\nAccepted\n\n## Decision\n\nYes.\n`,
      });
      return [decisions.map(day).join(), ...warnings];
    };
    for (const top of [
      '* Date 2024-05-06',
      '* Date started: 2024-03-04\n* Date accepted: 2024-05-06',
      'Date documented: 2024-05-06',
      'Created Date: 2024-03-04\nAccepted Date: 2024-05-06',
      '* Date Decided: 2024-03-??\n* Date Documented: 2024-05-06',
      '---\ndate: {2024-05-06}\n---',
    ])
      assert.deepEqual(dated(top), ['2024-05-06'], top);
    assert.deepEqual(dated('Last seen by all: 2024-05-06'), [
      '',
      'docs/adr/0001-a.md: a date in it was not read: "Last seen by all: 2024-05-06"',
    ]);
    assert.deepEqual(dated('Last seen by all: 2024-05-06', '20240102-a.md'), ['2024-01-02']);
    const [fact] = read({
      'adr/0001-a.adoc':
        '= A\nKim <kim@x.example>\nv0.1, 2024-05-06\n\n* Status: accepted\n* Date:\n\n== Decision\n\nYes.\n',
    }).decisions;
    assert.equal(day(fact as DecisionFact), '2024-05-06');
  });

  it('[I-1] AsciiDoc: a state that a reader sees counts before an attribute', () => {
    for (const [shown, confidence] of [
      ['approved', undefined],
      ['{status}', 0.3],
    ] as const) {
      const { decisions } = read({
        'adr/0001-a.adoc': `= A\n:status: draft\n\n* Status: ${shown}\n\n== Decision\n\nYes.\n`,
      });
      assert.equal(decisions[0]?.confidence, confidence);
    }
  });

  it('[I-1] a title may begin like a section or be a heading of sections', () => {
    for (const top of ['# Context compaction', '## Context compaction'])
      assert.equal(
        one(`${top}\n\n## Context\n\nLong.\n\n## Decision\n\nWe cut.\n`).text,
        `${top === '# Context compaction' ? 'Context compaction' : 'one'}: We cut.`,
      );
    assert.equal(
      one('## Long work\n\n## Context\n\nLong.\n\n## Decision\n\nWe wait.\n').text,
      'Long work: We wait.',
    );
    assert.equal(one('# Context\n\n## Now\n\nLong.\n\n# Decision\n\nWe wait.\n').text, 'one: We wait.');
  });

  it('[I-1] what was decided, where its heading says more, where it is announced, or where only an option is marked', () => {
    for (const [text, said] of [
      ['## Decision: log conventions\n\nWe log JSON.', 'We log JSON.'],
      [
        '## Decision Outcomes\n\n### First\n\nChosen option: **JSON**, because it is small.',
        'JSON, because it is small.',
      ],
      [
        '## Decision\n\nChosen option:\n\n**JSON** — as lines — because it is small.\n\nMore.',
        '**JSON** — as lines, because it is small.',
      ],
      [
        '## Decision\n\nWe adopt both:\n\n**A.** One.\n\n**B.** Two.\n\n### Why\n\nNo.',
        'We adopt both: **A.** One. **B.** Two.',
      ],
      ['## Decision\n\nWe adopt both:\n\n* A\n* B\n\nNo.', 'We adopt both:\n* A\n* B'],
      ['## Decision\n\nWe set:\n\n```\na: 1\n\nb: 2\n```\n\nNo.', 'We set:\n```\na: 1\n\nb: 2\n```'],
      [
        '## Decision\n\nWe pay:\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\nNo.',
        'We pay:\n| A | B |\n|---|---|\n| 1 | 2 |',
      ],
      [
        `## Decision\n\nWe adopt both:\n\n${'A'.repeat(600)}\n\n${'B'.repeat(600)}`,
        `We adopt both: ${'A'.repeat(600)}`,
      ],
      ['## Options\n\n### 1. (rejected) XML\n\nNo.\n\n### (accepted) JSON lines\n\nYes.', 'JSON lines'],
    ] as const)
      assert.equal(decided(text).text, `Title: ${said}`, text.slice(0, 60));
  });

  it('[I-2] a day that there was not, and one that could be two, are reported', () => {
    for (const date of ['2026-02-30', '02/08/2024', 'soon']) {
      const { decisions, warnings } = read({
        'docs/adr/0001-a.md': `# A\n\nStatus: Accepted\nDate: ${date}\n\n## Decision\n\nYes.\n`,
      });
      assert.equal(decisions[0]?.isUndated, true, date);
      assert.deepEqual(warnings, [`docs/adr/0001-a.md: its date "${date}" is no ISO date`]);
    }
  });
});
