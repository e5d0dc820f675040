import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Facts } from '../src/domain/import/facts.ts';
import { readRecords as read } from './support/records.ts';

const shown = ({ decisions }: Facts) =>
  decisions.map(({ topic, text, confidence, withdrawn, at, isUndated }) => [
    topic,
    text,
    isUndated ? undefined : new Date(at).toISOString().slice(0, 10),
    ...(confidence === undefined ? [] : [confidence]),
    ...(withdrawn === undefined ? [] : [withdrawn.reason]),
  ]);
const record = (title: string, status: string, more = '') =>
  `# ${title}\n\n## Status\n\n${status}\n\n## Decision\n\nYes.\n${more}`;

describe('records that are not written in Markdown, and folders that are not called as those of records', () => {
  it('[I-1] reStructuredText: underlined and overlined titles, fields, links; of one level or of two', () => {
    const facts = read({
      'docs/decisions/0001-cache.rst':
        '.. _ADR-1:\n\n1. Cache answers\n================\n\n:Date: 2024-05-06\n\nStatus\n------\n\n**Superseded** by `ADR 2 <0002-no-cache.rst>`__\n\nContext\n-------\n\nSlow.\n\nDecisions\n---------\n\nWe cache for an hour::\n\n    ttl = 3600\n\nWhy\n~~~\n\nIt is enough.\n',
      'docs/decisions/0002-no-cache.rst':
        '########\nNo cache\n########\n\nStatus\n######\n\nAccepted *2024-07-08*\n\nDecision\n########\n\nNothing is cached.\n',
      'docs/decisions/index.rst': 'Decisions\n=========\n\n.. toctree::\n\n   0001-cache\n',
    });
    assert.deepEqual(shown(facts), [
      ['adr:0001-cache', 'Cache answers: We cache for an hour::\n    ttl = 3600', '2024-05-06'],
      ['adr:0001-cache', 'No cache: Nothing is cached.', '2024-07-08'],
    ]);
    assert.deepEqual(facts.skipped, [
      { what: 'docs/decisions/index.rst', why: 'no decision record: an overview' },
    ]);
    assert.match(facts.decisions[0]?.evidence?.[0]?.text ?? '', /^\.\. _ADR-1:/, 'the file as it is');
  });

  it('[I-1] AsciiDoc: titles, attributes, links, lists; what is in code or a comment is none', () => {
    const facts = read({
      'adr/0001-queue.adoc':
        '= 1. Use a queue\n\n* Status: proposed\n* Date: 2024-05-06 by @kim\n// * Revised:\n\n== Context\n\n----\n== Status\nRejected\n----\n\n////\n== Decision\nNo.\n////\n\n== Decision\n\nWe use:\n\n* Kafka\n** with one topic\n\nand link:0002-topic.adoc[another record].\n',
      'adr/0002-topic.adoc':
        '= One topic\n:status: Accepted, amends <<0001-queue.adoc#,ADR 1>>\n:date: 2024-07-08\n\n== Decision\n\nOne topic, see https://kafka.example[its page].\n',
    });
    assert.deepEqual(shown(facts), [
      ['adr:0001-queue', 'Use a queue: We use:\n* Kafka\n  * with one topic', '2024-05-06', 0.3],
      ['adr:0002-topic', 'One topic: One topic, see [its page](https://kafka.example).', '2024-07-08'],
    ]);
    const [noted] = read({
      'adr/0001-a.rst': 'All\n===\n\nDecision\n--------\n\n.. note::\n\n   Only here.\n\nWe wait.\n',
    }).decisions;
    assert.equal(noted?.text, 'All: We wait.');
    assert.deepEqual(facts.decisions[1]?.links, [{ relationship: 'builds_on', to: 'adr/0001-queue.adoc' }]);
  });

  it('[I-1] files that are called records make a folder of them; proposals elsewhere are named, and read when they are meant', () => {
    const files = {
      'docs/architecture/adr-001-tokens.md': record('ADR 1: Tokens', 'Accepted'),
      'docs/architecture/adr-002-keys.md': record('ADR 2: Keys', 'Accepted'),
      'docs/guide/01-overview.md': '# Overview\n\n## Background\n\nA page of the guide.\n',
      'rfcs/0007-hooks.md':
        '- Feature Name: `use_hooks`\n- Start Date: 2024-05-06\n- RFC PR: #7\n\n# Summary\n[summary]: #summary\n\nNo classes.\n\n# Motivation\n\n## Why\n\nClasses are long.\n',
      'rfcs/prefix/README.md':
        '---\nstate: approved\ncreation_date: 2024-06-07\n---\n# App prefix\n\n## Solution\n\nNone.\n',
      'keps/9-pods/README.md': '# KEP-9: Pods\n\n## Motivation\n\nPods.\n',
      'keps/9-pods/kep.yaml': 'status: rejected\n',
      'peps/pep-0012.rst':
        'PEP: 12\nTitle: A template\nStatus: Withdrawn\nCreated: 05-Aug-2002\nSuperseded-By: 13\n\n\nAbstract\n========\n\nText.\n',
    };
    const whole = read(files);
    assert.deepEqual(
      whole.decisions.map(({ topic }) => topic),
      ['adr:adr-001-tokens', 'adr:adr-002-keys'],
    );
    assert.deepEqual(whole.skipped.map(({ what, why }) => [what, why.split(':')[0]]).sort(), [
      ['docs/guide/01-overview.md', 'outside of the folders of records'],
      ['keps/9-pods/README.md', 'a proposal'],
      ['peps/pep-0012.rst', 'a proposal'],
      ['rfcs/0007-hooks.md', 'a proposal'],
      ['rfcs/prefix/README.md', 'a proposal'],
    ]);
    assert.deepEqual(shown(read(files, 'rfcs')), [
      ['adr:0007-hooks', 'use_hooks: No classes.', '2024-05-06'],
      ['adr:prefix', 'App prefix', '2024-06-07'],
    ]);
    assert.deepEqual(shown(read(files, 'peps')), [
      ['adr:pep-0012', 'A template: Text.', '2002-08-05', 'Withdrawn; superseded by 13, which is not there'],
    ]);
    const keps = read(files, 'keps');
    assert.deepEqual(
      [keps.decisions, keps.skipped],
      [
        [],
        [
          { what: '9-pods/README.md', why: 'a KEP: its state is in kep.yaml, which is not read' },
          { what: '9-pods/kep.yaml', why: 'neither Markdown, reStructuredText nor AsciiDoc' },
        ],
      ],
    );
  });

  it('[Q-7] numbers of dates, of links to a route and of files that got another number invent no successor', () => {
    const chains = (files: Record<string, string>) => {
      const topics = Map.groupBy(read(files).decisions, ({ topic }) => topic);
      return [...topics.values()].map((each) =>
        each.map(({ text }) => text.replace(': Yes.', '')).join(' < '),
      );
    };
    assert.deepEqual(
      chains({
        'docs/adr/0002-cloud.md': record(
          'Cloud',
          'Superseded. [This one](0004-azure.md) is newer.\n\n### 2023-09-03 Update\n\nAfter 3 months we leave.',
        ),
        'docs/adr/0003-tests.md': record('Tests', 'Accepted'),
        'docs/adr/0004-azure.md': record('Azure', 'Accepted'),
        'docs/adr/0009-lint.md': record('Lint', 'Accepted'),
      }),
      ['Cloud < Azure', 'Tests', 'Lint'],
    );
    assert.deepEqual(
      chains({
        'docs/adr/2022-03-28_017-udp.md': record('UDP', 'Superseded by [ADR 32](/adr/32)'),
        'docs/adr/2025-02-12_032-etcd.md': record('etcd', 'Accepted'),
        'docs/adr/2025-03-12_033-head.md': record('Head', 'Accepted'),
      }),
      ['UDP < etcd', 'Head'],
    );
    assert.deepEqual(
      chains({
        'docs/adr/0014-papers.md': record(
          'Old papers',
          'Superseded by [ADR 16](https://x.example/0016-papers.md)',
        ),
        'docs/adr/0016-uploads.md': record('Uploads', 'Accepted'),
        'docs/adr/0025-papers.md': record('Papers', 'Accepted'),
      }),
      ['Old papers < Papers', 'Uploads'],
    );
    assert.deepEqual(
      chains({
        'docs/adr/0006-square.md': record(
          'Square',
          'Implemented. Parts of this ADR were superseded by [ADR-7](0007-blob.md)',
        ),
        'docs/adr/0007-blob.md': record('Blob', 'Accepted'),
      }),
      ['Square', 'Blob'],
    );
    for (const part of [
      'Supersedes the **engine choice** of [ADR-1](0001-old.md); all else stands',
      'Supersedes: ADR-1 decision #3 (metadata)',
      'Supersedes [ADR-1](0001-old.md) (basis only)',
    ]) {
      const { decisions } = read({
        'docs/adr/0001-old.md': record('Old', 'Accepted'),
        'docs/adr/0002-new.md': record('New', 'Accepted', `\n## Links\n\n- ${part}\n`),
      });
      assert.deepEqual(
        decisions.map(({ topic, links }) => [topic, links?.map(({ relationship }) => relationship)]),
        [
          ['adr:0001-old', []],
          ['adr:0002-new', ['builds_on']],
        ],
        part,
      );
    }
  });

  it('[I-1] [Q-7] of several that replace one record each stays active, and several that one replaces all end', () => {
    const seen = (files: Record<string, string>) =>
      read(files).decisions.map(({ topic, text, links = [], withdrawn }) =>
        [topic.slice(4), text.split(':')[0], ...links.map(({ to }) => to.slice(9)), withdrawn?.reason].join(
          ' ',
        ),
      );
    assert.deepEqual(
      seen({
        'docs/adr/01-web.md': record('Web', 'Superseded by [2](02-view.md) and [3](03-play.md)'),
        'docs/adr/02-view.md': record('View', 'Superseded by ADR-4'),
        'docs/adr/03-play.md': record('Play', 'Accepted'),
        'docs/adr/04-new.md': record('New', 'Accepted. Supersedes ADR-1'),
      }),
      ['01-web Web ', '01-web View ', '01-web New ', '03-play Play 01-web.md '],
      'what replaced the successor, too, is no second one',
    );
    assert.deepEqual(
      seen({
        'docs/adr/01-fish.md': record('Fish', 'Accepted'),
        'docs/adr/02-shop.md': record('Shop', 'Superseded by ADR-3'),
        'docs/adr/03-game.md': record('Game', 'Accepted. Supersedes ADR-1'),
      }),
      [
        '01-fish Fish Superseded by docs/adr/03-game.md on "adr:02-shop".',
        '02-shop Shop ',
        '02-shop Game 01-fish.md ',
      ],
    );
  });

  it('[I-1] [Q-7] a successor is named by a title or a label of reStructuredText, by the name of its file, or not at all', () => {
    const rst = (title: string, status: string, label = '') =>
      `${label}${title}\n${'='.repeat(title.length)}\n\n.. list-table::\n\n   * - Status\n     - ${status}\n\nDecision\n--------\n\nYes.\n`;
    const { decisions, warnings } = read({
      'docs/adr/0001-redux.rst': rst('Use Redux', 'Replaced, see :ref:`Use Queries`'),
      'docs/adr/0002-queries.rst': rst('2. Use Queries', 'Accepted'),
      'docs/adr/0003-docker.rst': rst('Docker', 'Superseded by :ref:`vm`'),
      'docs/adr/0004-machines.rst': rst('Machines', 'Draft', '.. _vm:\n\n'),
      'docs/adr/20240102-udp.md': record('UDP', 'Superseded: the transport is new (20240304-web-transport)'),
      'docs/adr/20240304-web-transport.md': '# Web\n\n## Proposal Status\n\nStatus: Proposed\n',
      'docs/adr/20240506-plan.md': record('Plan', 'Superseded by <20240607-next-updates-x.md>'),
      'docs/adr/20240607-next-updates-x.md': record(
        'Next',
        'Accepted. Implements [Web](20240304-web-transport.md)',
      ),
      'docs/adr/20240708-gone.md': record('Gone', 'Superseded by [x](20240809-renamed.md)'),
      'docs/adr/20240809-joke.md': record('Joke', 'Accepted'),
    });
    assert.deepEqual(
      decisions.map(({ topic, text, confidence, links = [], withdrawn }) =>
        [topic, text.split(':')[0], confidence, ...links.map(({ to }) => to), withdrawn?.reason]
          .join(' ')
          .trim(),
      ),
      [
        'adr:0001-redux Use Redux',
        'adr:0001-redux Use Queries',
        'adr:0003-docker Docker',
        'adr:0003-docker Machines 0.3',
        'adr:20240102-udp UDP',
        'adr:20240102-udp Web 0.3',
        'adr:20240506-plan Plan',
        'adr:20240506-plan Next  docs/adr/20240304-web-transport.md',
        'adr:20240708-gone Gone  Superseded by x, which is not there',
        'adr:20240809-joke Joke',
      ],
    );
    assert.deepEqual(warnings, [], 'the words in an address link nothing');
  });

  it('[I-1] [Q-7] what replaces a part of a record, in whatever words, ends nothing: the newer one builds on it', () => {
    const told = (old: string, next: string, name = '0002-new.md') => {
      const { decisions, warnings } = read({
        'docs/adr/0001-old.md': old.startsWith('---') ? old : record('Old', old),
        [`docs/adr/${name}`]: next.startsWith('---') || name.endsWith('.rst') ? next : record('New', next),
      });
      return [
        new Set(decisions.map(({ topic }) => topic)).size,
        decisions.flatMap(({ withdrawn }) => withdrawn?.reason ?? []),
        decisions.flatMap(({ key, links = [] }) => links.map(({ relationship }) => `${key} ${relationship}`)),
        warnings,
      ];
    };
    const part = [2, [], ['docs/adr/0002-new.md builds_on'], []];
    const whole = [1, [], [], []];
    for (const old of [
      'Accepted. The clause on retries is\nsuperseded by [ADR 2](0002-new.md). The rest stands.',
      'Accepted (the `judge.py` code is superseded by [ADR-2](0002-new.md); the concept remains in force)',
      'Superseded in part by ADR-2',
    ])
      assert.deepEqual(told(old, 'Accepted'), part, old);
    for (const next of [
      'Accepted\n\nSupersedes:\n\n- Provisioning parts of [ADR 1. Old](0001-old.md)',
      'Accepted. Supersedes two clauses of [ADR 1](0001-old.md); the rest stands',
      'Accepted. Supersedes ADR-1 (judge.py). The concept remains valid.',
      'Partial supersede of [1. Old](0001-old.md)',
      'Partially supersedes ADR 1',
      '---\nstatus: accepted\nsupersedes: ["0001"]\n---\n# New\n\n## Status\n\nAccepted\n\nSupersedes:\n\n- Naming parts of [ADR 1](0001-old.md)\n\n## Decision\n\nYes.\n',
    ])
      assert.deepEqual(told('Accepted', next), part, next);
    for (const next of [
      'Builds upon [ADR 1](0001-old.md)',
      'Expands on parts of ADR-1',
      '**Tags**: keys, amends-adr-0001',
    ])
      assert.deepEqual(told('Accepted', `Accepted\n\n${next}`), part, next);
    for (const [old, next] of [
      ['Accepted', 'Accepted\n\nSupersedes:\n\n- [ADR 1. Old](0001-old.md)'],
      ['Accepted. This decision is superseded by ADR-2', 'Accepted'],
      ['Accepted, since\nsuperseded by ADR-2', 'Accepted'],
      ['Superseded. The library was replaced by [ADR-2](0002-new.md)', 'Accepted'],
      ['---\nstatus: superseded\n---\n# Old\n\n## Status\n\nSuperseded by [2](0002-new.md)\n', 'Accepted'],
    ] as const)
      assert.deepEqual(told(old, next), whole, old);
    assert.deepEqual(
      told(
        'Accepted',
        'New\n===\n\nStatus\n------\n\nAccepted, except for two. Supersedes the "old\nnames" clauses of\n:doc:`0001-old`; the rest of ADR 1 stands.\n\nDecision\n--------\n\nYes.\n',
        '0002-new.rst',
      ),
      [2, [], ['docs/adr/0002-new.rst builds_on'], []],
    );
  });

  it('[Q-7] a link whose file is gone means the record with its title; where number and title contradict, nothing', () => {
    const facts = read({
      'docs/adr/0006-auth.md': record(
        'Auth',
        'Accepted\n\nAmended by [16. Disable scripts](0016-disable-the-scripts.md)\n\nAmended by [17. Use another vendor](0017-x.md)',
      ),
      'docs/adr/0015-disable-scripts.md': record('16. Disable scripts', 'Accepted'),
      'docs/adr/0016-brakeman.md': record('16. Use Brakeman', 'Accepted'),
      'docs/adr/0017-queues.md': record('17. Queues of messages', 'Accepted'),
    });
    assert.deepEqual(
      facts.decisions.flatMap(({ key, links = [] }) => links.map(({ to }) => [key, to])),
      [['docs/adr/0015-disable-scripts.md', 'docs/adr/0006-auth.md']],
    );
    assert.deepEqual(facts.warnings, [
      'docs/adr/0006-auth.md builds_on 17. Use another vendor: no such file',
    ]);
  });

  it('[I-1] where the folder that a repository names is missing, nothing else is taken for records', () => {
    const { decisions, skipped } = read({
      '.log4brains.yml': 'project:\n  adrFolder: ./docs/decisions\n',
      'docs/secrets.md': '# Secrets\n\n**Status**: draft\n\n## Introduction\n\nA page.\n',
    });
    assert.deepEqual(
      [decisions, skipped],
      [
        [],
        [
          { what: 'docs/decisions', why: 'no such folder' },
          {
            what: 'docs/secrets.md',
            why: 'no decision record: neither its folder nor its form says so',
          },
        ],
      ],
    );
  });

  it('[I-1] states that are struck out, links, in brackets or headings; a date alone in its line; what nobody filled', () => {
    assert.deepEqual(
      shown(
        read({
          'docs/adr/0001-django.md': record('Django', '~~Accepted~~ *Deprecated - See ADR 17*'),
          'docs/adr/0002-viewer.md': '# Viewer\n\nOctober 23, 2018\n\n## Decision\n\nOne for all.\n',
          'docs/adr/2024-02-03-ADR_4_js.md':
            '---\ntitle: "ADR 4: JavaScript"\n---\n\nWhich one?\n\n# Status\n\nsuperseded by [ADR-5]({% post_url adr/2024-03-04-ADR_5_ts %})\n\n# Decision & Consequences\n\nIn JS.\n',
          'docs/adr/2024-03-04-ADR_5_ts.md': record('ADR 5: TypeScript', '[Approved]'),
          'docs/adr/0006-keys.md': record('Keys', '[Deprecated](https://x.example/pull/395)'),
          'docs/adr/0007-enrol.md':
            '# 0007 Enrol\n\n# Status\n\n## Rejected April 2022\n\nNobody wanted it.\n\n# Decision\n\nWe enrol.\n\n## Consequences\n\nNone.\n',
          'docs/adr/0003-empty.md':
            "# 3. Empty\n\nDate: 2024-05-06\n\n## Status\n\nAccepted\n\n## Context\n\nThe issue motivating this decision, and any context that influences or constrains the decision.\n\n## Decision\n\nThe change that we're proposing or have agreed to implement.\n",
        }),
      ),
      [
        ['adr:0001-django', 'Django: Yes.', undefined, 'Deprecated - See ADR 17*'],
        ['adr:0002-viewer', 'Viewer: One for all.', '2018-10-23'],
        ['adr:0003-empty', 'Empty', '2024-05-06'],
        ['adr:2024-02-03-ADR_4_js', 'JavaScript: In JS.', '2024-02-03'],
        ['adr:2024-02-03-ADR_4_js', 'TypeScript: Yes.', '2024-03-04'],
        ['adr:0006-keys', 'Keys: Yes.', undefined, 'Deprecated'],
        ['adr:0007-enrol', 'Enrol: We enrol.', undefined, 'Rejected April 2022'],
      ],
    );
  });
});
