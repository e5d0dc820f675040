import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import type { Facts } from '../src/domain/import/facts.ts';
import { NOT_ENTERED, planOf } from '../src/domain/import/plan.ts';
import { adr } from '../src/interchange/importers/adr/adr.ts';
import { agents } from '../src/interchange/importers/agents/agents.ts';
import { obsidian } from '../src/interchange/importers/notes/notes.ts';
import { serverMemory } from '../src/interchange/importers/server-memory.ts';
import { sourcesAt } from '../src/memory/importing.ts';
import { withinProcessorTime } from './support/clock.ts';
import { scratch } from './support/engines.ts';

function folderOf(files: Record<string, string | Buffer>): string {
  const folder = join(scratch(), 'repo');
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

const readFiles = (files: Record<string, string>, inside = '') => adr.read(join(folderOf(files), inside), {});
const day = (at: number) => new Date(at).toISOString().slice(0, 10);

describe('what people have written', () => {
  it('[SR-1] [SR-5] documents with a state or a list of decisions are none, and each is named', () => {
    const files = {
      'README.md': '# Bakery\n',
      'docs/minutes.md': '# Minutes\n\n## Decisions\n\n- Open on Sunday\n',
      'docs/oven.md': '# Oven guide\n\n**Status**: Accepted\n\n## Steps\n\nHeat it.\n',
      'docs/schema.md': '# Schema\n\nStatus: Draft\n\nA loaf has a weight.\n',
      'docs/choice.md':
        '# Buy flour\n\nStatus: Accepted\n\n## Context\n\nIt is dear.\n\n## Decision\n\nWe buy it monthly.\n',
    };
    const { decisions, skipped, read = [] } = readFiles(files);
    assert.deepEqual(
      decisions.map(({ text }) => text),
      ['Buy flour: We buy it monthly.'],
    );
    const named = [...read, ...skipped].map(({ what }) => what).sort();
    assert.deepEqual(named, Object.keys(files).sort());
    assert.match(skipped.find(({ what }) => what === 'docs/minutes.md')?.why ?? '', /"Decisions"/);
  });

  it('[SR-2] headings with a number, a date or a decision are entries; a preface, a question and a template are none', () => {
    const { decisions, skipped } = readFiles({
      'DECISIONS.md': `# Decisions

What shaped the bakery.

---

### 1. Bread is baked without yeast from shops.

We keep our own.

### 2. Why no cakes?

Later.

## 2026-03-04 — Delivery

**Status:** Superseded by a van
**Decision:** By bicycle.
**Rationale:** It is near.

## [YYYY-MM-DD] - [Title]

**Decision:** …
`,
    });
    assert.deepEqual(
      decisions.map(({ text, reasoning, at, isUndated, withdrawn }) => [
        text,
        reasoning,
        isUndated ? '' : day(at),
        withdrawn !== undefined,
      ]),
      [
        ['Delivery: By bicycle.', 'Rationale\nIt is near.', '2026-03-04', true],
        ['Bread is baked without yeast from shops.', 'We keep our own.', '', false],
      ].reverse(),
    );
    assert.deepEqual(
      skipped.map(({ why }) => why.split(',')[0]),
      ['an entry that asks', 'a template'],
    );
  });

  it('[SR-2] lines in brackets, items and rows are entries, each with its date; an index is none', () => {
    const { decisions } = readFiles({
      'memory-bank/decisionLog.md': `# Decision Log

## Decision

*

[2026-01-02 10:00:00] - Initialized the log

[2026-01-03 10:00:00] - **Rye in the morning**

## Decision
Rye is baked first.

## Rationale
- It needs longer.
`,
      'docs/decisions.md': `# Decisions

- 2026-02-03: Close on Monday, since nobody comes
- [x] sweep the floor

| # | Date | Decision | Rationale |
| --- | --- | --- | --- |
| 1 | 2026-02-05 | Sell by weight | Loaves differ |
| [2](#two) | 2026-02-06 | See below | |
`,
    });
    assert.deepEqual(decisions.map(({ text, at, reasoning }) => [text, day(at), reasoning]).sort(), [
      ['Close on Monday, since nobody comes', '2026-02-03', null],
      ['Rye in the morning: Rye is baked first.', '2026-01-03', 'Rationale\n- It needs longer.'],
      ['Sell by weight', '2026-02-05', 'Rationale\nLoaves differ'],
    ]);
  });

  it('[SR-2] lines and items that begin with an id are entries, each with the lines below it', () => {
    const { decisions } = readFiles({
      'DECISIONS.md': `# Decisions

### Oven
- **D-011:** Heat with gas, and not with wood.
- D-012: Bake rye before white bread.
D-013: Let the dough rest at night.
It is cooler then.

**DEC-14 — Two doors**
Bread leaves by the second door.

- **D-15: Tins.** Lined with paper.
  - **Why:** They last.

### Shop
Opened by the baker.
`,
    });
    assert.deepEqual(decisions.map(({ text, reasoning }) => [text, reasoning]).sort(), [
      ['Bake rye before white bread.', null],
      ['Heat with gas, and not with wood.', null],
      ['Let the dough rest at night.', 'It is cooler then.'],
      ['Tins. Lined with paper.', 'Why\nThey last.'],
      ['Two doors: Bread leaves by the second door.', null],
    ]);
  });

  it('[SR-2] [SR-3] an id names the entry that replaces another one, also in brackets, in italics and in a table', () => {
    const { decisions } = readFiles({
      'DECISIONS.md': `# Decisions

## DEC-001: Bake at night [SUPERSEDED by DEC-003]
- **Decision:** At ten.

## DEC-002: Sell at the door (old door)
- **Decision:** Until noon.

## DEC-003: Bake at noon
- **Decision:** At twelve. See DEC-002.
`,
      'docs/decisions.md': `# Decisions

- **D-1:** Wood in the oven. *Superseded by D-3.*
- **D-2 (rejected):** Coal in the oven, as before.
- **D-3:** Gas in the oven, which is clean.
`,
      'shop/decisions.md': `# Decisions

| ID | Decision | Status | Date |
| --- | --- | --- | --- |
| T-1 | Tins | Superseded by T-2 | 2026-01-02 |
| T-2 | Paper | Active | 2026-02-02 |
`,
    });
    assert.deepEqual(decisions.map(({ text, topic, withdrawn }) => [topic, text, withdrawn?.reason]).sort(), [
      ['adr:d-1-wood-in-the-oven-superseded-by-d-3', 'Gas in the oven, which is clean.', undefined],
      ['adr:d-1-wood-in-the-oven-superseded-by-d-3', 'Wood in the oven.', undefined],
      ['adr:d-2-rejected-coal-in-the-oven-as-before', 'Coal in the oven, as before.', 'Rejected'],
      ['adr:dec-001-bake-at-night-superseded-by-dec-003', 'Bake at night: At ten.', undefined],
      ['adr:dec-001-bake-at-night-superseded-by-dec-003', 'Bake at noon: At twelve. See DEC-002.', undefined],
      ['adr:dec-002-sell-at-the-door-old-door', 'Sell at the door (old door): Until noon.', undefined],
      ['adr:t-1-tins', 'Paper', undefined],
      ['adr:t-1-tins', 'Tins', undefined],
    ]);
  });

  it('[SR-2] headings for decision and rationale that follow each other are entries without a title', () => {
    const { decisions } = readFiles({
      'memory-bank/decisionLog.md': `# Decision Log

2026-01-01 10:00:00 - Журнал решений.

*

## Решение

* Печь на газе

## Обоснование

* Дрова дороги

## Детали реализации

* Печь стоит у окна

## Решение

* [2026-01-02 10:00:00] - Закрыто в понедельник

## Обоснование

* Никто не приходит
`,
      'docs/decisions.md': `# Decisions

* [2026-01-03 10:00:00] - Rye is baked first
* [2026-01-04 10:00:00] - Cakes are sold on Sunday

## Decision

* Bake at night
* Sell by day

## Rationale

* It is cooler
`,
    });
    const entries = decisions.map(({ text, reasoning, at, isUndated }) => [
      text,
      reasoning,
      isUndated ? '' : day(at),
    ]);
    assert.deepEqual(entries.sort(), [
      ['Bake at night: Sell by day', 'Rationale\n* It is cooler', ''],
      ['Cakes are sold on Sunday', null, '2026-01-04'],
      ['Rye is baked first', null, '2026-01-03'],
      ['Закрыто в понедельник', 'Обоснование\n* Никто не приходит', '2026-01-02'],
      ['Печь на газе', 'Обоснование\n* Дрова дороги\n\nДетали реализации\n* Печь стоит у окна', ''],
    ]);
  });

  it('[SR-2] "What" is the decision and "How" a reason, as headings and as fields, where nothing is called so', () => {
    const { decisions } = readFiles({
      'DECISIONS.md': `# Decisions

## DEC-1: Night shift
**When:** 2026-01-02

### What
Two people bake at night.

### How
In turns.

## DEC-2: Day shift
- **What:** One person sells.
- **How:** At the door.
- **When:** 2026-01-03
`,
      'docs/adr/0001-a.md': '# Oven\n\nStatus: Accepted\n\n## What\n\nWe heat with gas.\n\n## Why\n\nCold.\n',
      'docs/plan.md': '# Plan\n\nStatus: Accepted\n\n## What\n\nA second shop.\n\n## Why\n\nRoom.\n',
    });
    assert.deepEqual(
      decisions
        .map(({ text, reasoning, at, isUndated }) => [text, reasoning, isUndated ? '' : day(at)])
        .sort(),
      [
        ['Day shift: One person sells.', 'How\nAt the door.', '2026-01-03'],
        ['Night shift: Two people bake at night.', 'How\nIn turns.', '2026-01-02'],
        ['Oven: We heat with gas.', 'Why\nCold.', ''],
      ],
    );
  });

  it('[SR-2] a title in Hangul or Han alone is one, and a bare date below it is its date', () => {
    const { decisions } = readFiles({
      'DECISIONS.md': '# 결정\n\n## D-1: 굽기\n\n2026-02-03\n\n밤에 굽는다.\n\n## D-2: 烘焙\n\n夜里烘焙。\n',
    });
    assert.deepEqual(
      decisions.map(({ text, isUndated, at }) => [text, isUndated ? '' : day(at)]),
      [
        ['굽기: 밤에 굽는다.', '2026-02-03'],
        ['烘焙: 夜里烘焙。', ''],
      ],
    );
  });

  it('[SR-3] what is on hold is only proposed, in words of any language and behind a title', () => {
    const { decisions, warnings } = readFiles({
      'DECISIONS.md': [
        '## D-1: Sell cakes in the morning (on hold)\n\nCakes come at eight.',
        '## D-2: Bake at noon\n\nStatus: Deferred until 2027-01-01\n\nAt noon.',
        '## D-3: 빵을 낮에 굽기\n\n상태: 보류\n\n낮에 굽는다.',
        '## D-4: Rest on Monday (all of us)\n\nNobody comes.',
      ].join('\n\n'),
    });
    assert.deepEqual(
      decisions.map(({ text, confidence }) => [text.split(':')[0], confidence]),
      [
        ['Sell cakes in the morning', 0.3],
        ['Bake at noon', 0.3],
        ['빵을 낮에 굽기', 0.3],
        ['Rest on Monday (all of us)', undefined],
      ],
    );
    assert.deepEqual(warnings, []);
  });

  it('[SR-2] a file that is named comes alone, as a log or as a record', () => {
    const files = {
      'docs/minutes.md': '# Minutes\n\n## Decisions\n\n- Open on Sunday, for the market\n',
      'b/0001-salt.md': '# 1. Salt\n\n## Status\n\nAccepted\n',
    };
    assert.deepEqual(
      Object.keys(files).map((file) => readFiles(files, file).decisions.map(({ text }) => text)),
      [['Open on Sunday, for the market'], ['Salt']],
    );
  });

  it('[SR-3] a state stands after a date, also in a history, a table and front matter', () => {
    const record = (status: string) =>
      `# Oven\n\n## Status\n\n${status}\n\n## Context\n\nCold.\n\n## Decision\n\nWe heat.\n`;
    const { decisions } = readFiles({
      'docs/adr/0001-a.md': record('2026-05-07 proposed'),
      'docs/adr/0002-b.md': record('2026-05-01 proposed\n\n2026-05-09 accepted'),
      'docs/adr/0003-c.md': record('2026-05-01 accepted\n\n2026-06-01 deprecated'),
      'docs/adr/0004-d.md': record('2026-05-01: Rejected'),
      'docs/adr/0005-e.md': record('| 2026-05-01 | proposed |\n| --- | --- |\n| 2026-05-02 | rejected |'),
      'docs/adr/0006-f.md': `---\nstatus: 2026-05-01 rejected\n---\n${record('')}`,
      'docs/adr/0007-g.md': record('2026-06-01 accepted\n\n2026-05-01 deprecated'),
    });
    assert.deepEqual(
      decisions.map(({ confidence, withdrawn }) => withdrawn?.reason.toLowerCase() ?? confidence),
      [0.3, undefined, 'deprecated', 'rejected', 'rejected', 'rejected', undefined],
    );
  });

  it('[SR-3] a placeholder is no text, a pointer has the text of its option, a lead paragraph is the decision', () => {
    const { decisions } = readFiles({
      'docs/adr/0001-a.md':
        '# Tins\n\n## Status\n\nAccepted\n\n## Context\n\nContext here...\n\n## Decision\n\nDecision here...\n',
      'docs/adr/0002-b.md':
        '# Horno\n\n## Estado\n\nAceptado\n\n## Opciones\n\n### Opción 1: Gas\n\n### Opción 2: Leña de encina\n\n## Decisiones\n\nOpción 2.\n',
      'docs/adr/0003-c.md':
        '# Loaves are counted at night\n\nThe number of loaves is counted when the shop is closed, since several people sell.\n\nIt is not stored.\n\n## Considered options\n\nA scale.\n',
    });
    assert.deepEqual(
      decisions.map(({ text, reasoning }) => [text, reasoning?.split('\n')[0] ?? null]),
      [
        ['Tins', null],
        ['Horno: Opción 2: Leña de encina', 'Opciones'],
        [
          'Loaves are counted at night: The number of loaves is counted when the shop is closed, since several people sell.',
          'It is not stored.',
        ],
      ],
    );
  });
  it('[SR-3] a lead of other sections is context; decisions with headings are a list; what only has a title is none yet', () => {
    const { decisions, skipped } = readFiles({
      'docs/adr/0001-scale.md':
        '# Scale in the shop\n\nStatus: accepted\n\nCustomers wait, since nobody knows the weight.\n\n## How it is built\n\nBy the window.\n',
      'docs/adr/0002-oven.md':
        '# Oven\n\nThe old one is cold.\n\n## Key decisions\n\n### Gas, not wood\n\nIt is clean.\n\n### Two doors\n\nBread and rolls.\n',
      'docs/adr/0003-tins.md':
        '# Consider tins\n\n## Status\n\nproposed\n\n## Context\n\nContext here...\n\n## Decision\n\nDecision here...\n',
      'docs/adr/0004-night.md':
        '# 夜\n\n## ステータス\n\n承認\n\n## コンテキスト\n\nこの決定を行った状況\n\n## 決定\n\n決定とその根拠\n',
      'DECISIONS.md': '# Decisions\n\n## 2026-01-02 The Night Shift Decision\n\nWe bake rye at night.\n',
    });
    assert.deepEqual(
      decisions.map(({ text, reasoning }) => [text, reasoning?.split('\n')[0] ?? null]).sort(),
      [
        ['Oven: - Gas, not wood\n- Two doors', 'The old one is cold.'],
        ['Scale in the shop', 'Customers wait, since nobody knows the weight.'],
        ['The Night Shift Decision: We bake rye at night.', null],
        ['夜', null],
      ],
    );
    assert.deepEqual(skipped, [
      { what: 'docs/adr/0003-tins.md', why: 'no decision record yet: nothing is written below its title' },
    ]);
  });

  it('[SR-4] notes of Serena, a memory bank and one graph come as notes; a log among them is named', () => {
    const folder = folderOf({
      '.serena/memories/style.md': '# Style\n\nTabs.\n\n## Names\n\nShort.\n',
      'memory-bank/progress.md': '# Progress\n\nThe oven works.\n',
      'memory-bank/decisionLog.md': '# Decision Log\n\n- 2026-01-02: Bake at night\n',
      'graph.json': JSON.stringify({
        entities: [{ name: 'Oven', entityType: 'thing', observations: ['hot'] }],
        relations: [{ from: 'Oven', to: 'Oven', relationType: 'heats' }],
      }),
    });
    const { observations, skipped } = agents.read(folder, {});
    assert.deepEqual(
      observations.map(({ title, content, type }) => [title, content.split('\n').at(-1), type]),
      [
        ['Style', 'Short.', 'note'],
        ['Progress', 'The oven works.', 'note'],
      ],
    );
    assert.deepEqual(
      skipped.map(({ what }) => what),
      ['memory-bank/decisionLog.md'],
    );
    const graph = serverMemory.read(join(folder, 'graph.json'), {});
    assert.deepEqual(
      [graph.observations.map(({ content }) => content), graph.relations.length],
      [['- hot'], 1],
    );
  });

  it('[SR-4] the scope of a record is said by itself, its folder, its category or its tag, else by its topic', () => {
    const record = (front = '') =>
      `${front === '' ? '' : `---\n${front}\n---\n`}# Oven\n\n## Status\n\nAccepted\n\n## Decision\n\nWe heat.\n`;
    const { decisions } = readFiles({
      'docs/adr/0001-a.md': record(),
      'docs/adr/0002-b.md': record('topic: dough:rest'),
      'docs/adr/0003-c.md': record('tags: [heat, night]\ntopic: dough:salt'),
      'docs/adr/0004-d.md': record('category: Till\ntags: heat'),
      'docs/adr/0005-e.md': record('scope: shop'),
      'docs/adr/0006-f.md': record().replace('## Status', 'Category: Till\n\n## Status'),
      'docs/adr/van/0001-a.md': record('category: Till'),
      'docs/adr/rejected/0007-g.md': record(),
      'docs/adr/0008-h/README.md': record(),
      'services/till/adr/0001-a.md': record(),
    });
    assert.deepEqual(
      Object.fromEntries(decisions.map(({ key, scope, topic }) => [key, scope ?? topic.split(':')[0]])),
      {
        'docs/adr/0001-a.md': 'adr',
        'docs/adr/0002-b.md': 'dough',
        'docs/adr/0003-c.md': 'heat',
        'docs/adr/0004-d.md': 'Till',
        'docs/adr/0005-e.md': 'shop',
        'docs/adr/0006-f.md': 'Till',
        'docs/adr/van/0001-a.md': 'van',
        'docs/adr/rejected/0007-g.md': 'adr',
        'docs/adr/0008-h/README.md': 'adr',
        'services/till/adr/0001-a.md': 'till',
      },
    );
  });

  it('[SR-4] UTF-16 with a mark is read, in either order of its bytes', () => {
    const record = '# Tins\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use 깡통.\n';
    const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(record, 'utf16le')]);
    const { decisions, warnings } = adr.read(
      folderOf({
        'docs/adr/0001-a.md': little,
        'docs/adr/0002-b.md': Buffer.from(little).swap16(),
      }),
      {},
    );
    assert.deepEqual(
      [decisions.map(({ text }) => text), warnings],
      [['Tins: We use 깡통.', 'Tins: We use 깡통.'], []],
    );
  });

  it('[SR-1] what is found in a folder is shown by three examples of each kind, and a page of a site hides nothing', () => {
    const entry = (at: number) => `- 2026-01-0${at}: Bake number ${at} at night\n`;
    const folder = folderOf({
      'DECISIONS.md': `# Decisions\n\n${[1, 2, 3, 4].map(entry).join('')}`,
      'site/about.md': '---\npermalink: /about/\n---\n# About\n',
      'site/contact.md': '---\npermalink: contact\n---\n# Contact\n',
    });
    const machine = { home: scratch(), folder, platform: process.platform, env: {} };
    assert.deepEqual(
      sourcesAt(folder, machine).map(({ source, holds, examples }) => [
        source,
        holds?.decisions,
        examples?.decisions.length,
      ]),
      [['adr', 4, 3]],
    );
  });

  it('[SR-2] [Z-6] a long log takes no time that grows with its square', async () => {
    const entry = (at: number) =>
      `## D${at} — Bake number ${at} in the oven\n\n**Decision:** We bake ${at}.\n**Why:** ${'[2026-01-01 '.repeat(20)}\n`;
    const folder = folderOf({
      'DECISIONS.md': `# Decisions\n\n${Array.from({ length: 1_600 }, (_, at) => entry(at)).join('\n')}`,
    });
    await withinProcessorTime(8_000, () => assert.equal(adr.read(folder, {}).decisions.length, 1_600));
  });

  it('[SR-3] [Z-6] a picture in the text of a record takes no time that grows with its square', async () => {
    const picture = `![oven](data:image/png;base64,${'iVBOR/w0K='.repeat(40_000)})`;
    const folder = folderOf({
      'docs/adr/0001-a.md': `# Oven\n\n## Status\n\nAccepted\n\n## Context\n\n${picture}\n\n## Decision\n\nWe heat.\n`,
    });
    await withinProcessorTime(8_000, () => assert.equal(adr.read(folder, {}).decisions.length, 1));
  });

  it('[SR-2] an entry that stands in two logs comes once, and the other is named', () => {
    const entry = (day: number) => `\n## 2026-01-0${day} Bake number ${day} at night\n\nIt is cooler.\n`;
    const { decisions, skipped } = adr.read(
      folderOf({
        'DECISIONS.md': `# Decisions\n${entry(2)}${entry(3)}`,
        'docs/old/DECISIONS.md': `# Decisions\n${entry(1)}${entry(2)}`,
      }),
      {},
    );
    assert.deepEqual(
      decisions.map(({ text }) => text).sort(),
      [1, 2, 3].map((day) => `Bake number ${day} at night`),
    );
    assert.deepEqual(skipped, [
      {
        what: 'docs/old/DECISIONS.md#2026-01-02-bake-number-2-at-night',
        why: 'the same decision as in DECISIONS.md',
      },
    ]);
  });

  it('[SR-5] of records, agents and notes each file that is there is named once, with what it becomes', () => {
    const files = {
      'README.md': '# Bakery\n',
      'AGENTS.md': '# Rules\n\nTabs.\n\n## Names\n\nShort.\n',
      'docs/adr/0001-a.md': '# Oven\n\n## Status\n\nAccepted\n\n## Decision\n\nWe heat.\n',
      'docs/adr/oven.svg': '<svg/>',
      'DECISIONS.md': '# Decisions\n\n- 2026-01-02: Bake at night\n- 2026-01-03: Rest on Monday\n',
      '.serena/memories/style.md': '# Style\n\nTabs.\n',
      'memory-bank/progress.md': '# Progress\n\nThe oven works.\n',
      'memory-bank/plan.json': '{}',
    };
    const folder = folderOf(files);
    const becoming = (facts: Facts) => {
      const { rows } = planOf(facts, true);
      assert.equal(new Set(rows.map(({ what }) => what)).size, rows.length);
      return Object.fromEntries(rows.map(({ what, becomes, why }) => [what, becomes ?? why]));
    };
    const texts = (leftOut: RegExp) =>
      Object.keys(files)
        .filter((file) => !leftOut.test(file))
        .sort();
    const records = becoming(adr.read(folder, {}));
    assert.deepEqual(Object.keys(records).sort(), texts(/json$/));
    assert.deepEqual(
      ['docs/adr/0001-a.md', 'DECISIONS.md', 'docs/adr/oven.svg'].map((file) => records[file]),
      ['1 decision', '2 decisions', 'neither Markdown, reStructuredText nor AsciiDoc'],
    );
    const instructions = becoming(agents.read(folder, {}));
    assert.deepEqual(Object.keys(instructions).sort(), texts(/svg$/));
    assert.deepEqual(
      ['AGENTS.md', 'memory-bank/plan.json', 'README.md'].map((file) => instructions[file]),
      ['2 observations', 'no Markdown', 'neither instructions nor notes of an agent, by its name'],
    );
    const notes = becoming(obsidian.read(folder, {}));
    assert.deepEqual(Object.keys(notes).sort(), ['.serena', ...texts(/serena/)]);
    assert.deepEqual(planOf({ read: [], skipped: [{ what: '.serena', why: NOT_ENTERED }] }, true).files, {
      found: 0,
      taken: 0,
      leftOut: 0,
    });
  });
});

describe('links between what people have written', () => {
  const record = (date: string, text: string) =>
    `# T\n\nDate: ${date}\n\n## Status\n\nAccepted\n\n## Context\n\n${text}\n\n## Decision\n\nDone.\n`;
  const linksIn = (files: Record<string, string>) => {
    const { decisions, warnings } = readFiles(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`docs/adr/${name}.md`, text])),
    );
    const links = decisions.flatMap(({ key, links = [] }) =>
      links.map(({ to }) => [key, to].map((each) => each.replace(/.*\/|\.md$/g, '')).join(' > ')),
    );
    return { links: links.sort(), warnings };
  };

  it('[SR-5] a number that records give with the title of another record links nothing, and is reported', () => {
    const named = 'See ADR 0003: [Cool the cellar](0003-cool-the-cellar.md), and ADR 0005.';
    const { links, warnings } = linksIn({
      '0003-paint-the-door': record('2025-01-01', 'Red.').replace('# T', '# Paint the door'),
      '0005-mend-the-roof': record('2025-01-02', 'Old.').replace('# T', '# Mend the roof'),
      '0007-cool-the-cellar': record('2025-01-03', 'Warm.').replace('# T', '# Cool the cellar'),
      '0008-buy-ice': record('2025-02-01', named),
      '0009-sell-ice': record('2025-02-02', 'As ADR 0003 says, and ADR-5.'),
    });
    assert.deepEqual(links, ['0008-buy-ice > 0007-cool-the-cellar']);
    assert.deepEqual(
      warnings.map((each) => each.replace(/.*adr\/|(?<=ADR 0003).*/g, '')),
      ['0008-buy-ice.md names ADR 0003', '0009-sell-ice.md names ADR 0003'],
    );
  });

  it('[SR-5] a record builds on none that has a later date, whatever their numbers are', () => {
    const { links } = linksIn({
      '0002-shelf': record('2025-02-01', 'See [the cellar](0009-cellar.md).'),
      '0004-lamp': record('2025-05-01', 'Dark.'),
      '0006-wire': record('2025-01-01', 'It goes on in [the lamp](0004-lamp.md).'),
      '0009-cellar': record('2025-01-01', 'Cold.'),
      '0010-salt': record('2025-01-01', 'Dear.\n\n## Links\n\n- Refines [the shelf](0002-shelf.md)'),
    });
    assert.deepEqual(links, ['0002-shelf > 0009-cellar']);
  });

  it('[SR-5] a number in code, in a form or in a longer word is an example and links nothing; a file in code does', () => {
    const { links } = linksIn({
      '0001-names': record('2025-01-01', 'Names.'),
      '0002-forms': record('2025-01-02', 'We write `ADR-0001` in the format ADR-0001, as in by-ADR-0001.'),
      '0003-badge': record('2025-01-03', '[![by ADR 1](https://img.example/by_ADR_0001.svg)](0001-names.md)'),
      '0004-file': record('2025-01-04', 'See `docs/adr/0001-names.md`.'),
      '0005-text': record('2025-01-05', 'See ADR-0001.'),
    });
    assert.deepEqual(links, ['0004-file > 0001-names', '0005-text > 0001-names']);
  });
});

describe('texts of what people have written', () => {
  const record = (decision: string, top = '') =>
    `# Oven\n\n${top}\n## Status\n\nAccepted\n\n## Context\n\nCold.\n\n## Decision\n\n${decision}\n`;

  it('[SR-3] lines of code and of a quotation come whole; a placeholder and problems alone are no decision', () => {
    const { decisions, skipped } = readFiles({
      'docs/adr/0001-a.md': record('We mark it.\n\n```rust\n[inline]\nfn bake() {}\n```'),
      'docs/adr/0002-b.md': record(
        'We heat.',
        '> The wish for steam\n> replaces the dry air: yes.\n\n## Notes\n\nNone.\n',
      ),
      'docs/adr/0003-c.md': record('在这里补充上决策信息...').replace('Accepted', '提议'),
      'docs/adr/0004-d.md': record('问题：\n\n1. It smokes\n2. It is slow'),
    });
    assert.deepEqual(
      decisions.map(({ reasoning }) => reasoning),
      [
        'Context\nCold.\n\nDecision\n```rust\n[inline]\nfn bake() {}\n```',
        '> The wish for steam\n> replaces the dry air: yes.\n\nContext\nCold.',
      ],
    );
    assert.deepEqual(
      skipped.map(({ why }) => why.replace(/.*: /, '')),
      ['its decision is still the text of the template', 'its decision names problems alone'],
    );
  });

  it('[SR-3] a sentence that leads to the decision is a reason, with the options that it lists', () => {
    const { decisions } = readFiles({
      'docs/adr/0001-a.md': record('We compared two ovens:\n\n- Gas\n- Wood\n\nWe heat with gas.'),
      'docs/adr/0002-b.md': record('We compared two ovens.'),
      'docs/adr/0003-c.md': record('Chose option: gas, because it is clean.'),
    });
    assert.deepEqual(
      decisions.map(({ text, reasoning }) => [text, reasoning?.replaceAll('\n', ' ')]),
      [
        ['Oven: We heat with gas.', 'Context Cold.  Decision We compared two ovens:  - Gas - Wood'],
        ['Oven: We compared two ovens.', 'Context Cold.'],
        ['Oven: gas, because it is clean.', 'Context Cold.'],
      ],
    );
  });

  it('[SR-2] the evidence of an entry is what is written, without a rule or a template in code at its end', () => {
    const entry = '## 2026-03-04 - Sell cakes\n\n**Decision:** On Sunday.';
    const { decisions } = readFiles({
      'DECISIONS.md': `# Decisions\n\n${entry}\n\n\`\`\`\n## [Date] - [Topic]\n\n**Decision:** [What]\n\`\`\`\n`,
      'docs/decisions.md': `# Decisions\n\n${entry}\n\n---\n\n## 2026-03-05 - Close early, since it is dark\n`,
    });
    assert.deepEqual(
      decisions.map(({ text, reasoning, evidence = [] }) => [text, reasoning, evidence[0]?.text]),
      [
        ['Sell cakes: On Sunday.', null, entry],
        ['Close early, since it is dark', null, '## 2026-03-05 - Close early, since it is dark'],
      ],
    );
  });
});
