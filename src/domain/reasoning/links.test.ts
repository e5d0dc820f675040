import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseReasoning } from './reasoning.ts';
import { canMean, topicSpellings } from './spelling.ts';

const U = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

/** References as they were written, `?` before each that can be no topic, after a check that nothing was ignored. */
function written(text: string): string[] {
  const { references, warnings, nearLinks } = parseReasoning(text);
  assert.deepEqual([warnings, nearLinks], [[], []], text);
  return references.map((each) => `${each.mayBeTopic ? '' : '?'}${each.written}`);
}

describe('parseReasoning: topics, beginnings of ids, numbers of observations', () => {
  const cases: [text: string, references: string[]][] = [
    ['builds_on: infra:cdn', ['infra:cdn']],
    ['builds_on: infra:cdn, 와이파이:설정, vs-code:theme', ['infra:cdn', '와이파이:설정', 'vs-code:theme']],
    ['builds_on: infra:cdn 와 infra:db and infra:dns', ['infra:cdn', 'infra:db', 'infra:dns']],
    ['builds_on: infra:cdn.', ['infra:cdn']],
    ['builds_on: infra:cdn@2, 배포:롤백을 따른다', ['infra:cdn@2', '배포:롤백을']],
    [
      'builds_on:infra:cdn,auth:token and cad:wall:thickness.',
      ['infra:cdn', 'auth:token', 'cad:wall:thickness'],
    ],
    ['builds_on: infra：cdn', ['infra：cdn']],
    ['builds_on: "auth: token"', ['auth: token']],
    ['builds_on: INFRA: cdn, AUTH: token\nNext', ['INFRA: cdn', 'AUTH: token']],
    ['builds_on: `auth token` and `db engine` since', ['auth token', 'db engine']],
    ['builds_on:`auth token`', ['auth token']],
    ['builds_on: `infra:cdn, auth:token`', ['infra:cdn', 'auth:token']],
    ['builds_on: 「인증 토큰」을 따른다', ['인증 토큰']],
    ['builds_on: [auth token, infra:cdn auth:token]', ['auth token', 'infra:cdn', 'auth:token']],
    ['builds_on: ［auth token、infra:cdn］', ['auth token', 'infra:cdn']],
    ['builds_on: [a], [b c] and [d]', ['a', 'b c', 'd']],
    ['builds_on: [[infra:cdn]], [[auth token]]', ['infra:cdn', 'auth token']],
    [
      'builds_on:\n- [auth:token](docs/x.md) is why\n- [[db engine]]\n- infra:cdn: slow\n\nProse.',
      ['auth:token', 'db engine', 'infra:cdn'],
    ],
    ['builds_on: infra:cdn (the old one: slow), auth:token', ['infra:cdn', 'auth:token']],
    ['builds_on: infra:cdn: because slow', ['infra:cdn']],
    ['builds_on: (_infra:cdn_)', ['infra:cdn']],
    ['builds_on: 3f2504e0', ['?3f2504e0']],
    ['builds_on: 3f2504e0-4f89 because', ['?3f2504e0-4f89']],
    ['builds_on: `3f2504e0`', ['3f2504e0']],
    ['builds_on: 3f2504e0를 따른다', ['?3f2504e0']],
    ['builds_on: 3f2504e0가:설정:가', ['3f2504e0가:설정:가']],
    ['builds_on: #38, #39은', ['?#38', '?#39']],
    [`builds_on: [${U}, infra:cdn, 3f2504e0]`, [U, 'infra:cdn', '3f2504e0']],
    [`builds_on: ${U}, reason: slow`, [`?${U}`]],
    [`builds_on: ${U}, https://x.y/z`, [`?${U}`]],
    [`builds_on: ${U} at 10:30`, [`?${U}`]],
  ];
  for (const [text, references] of cases)
    it(`[G-10] [U-1] ${JSON.stringify(text.replaceAll(U, '<U>'))}`, () => {
      assert.deepEqual(written(text), references);
    });

  it('[G-10] a topic is followed by the next relation', () => {
    for (const between of ['\n', ' ', ', ', ',', '; ', '. ']) {
      const { references } = parseReasoning(`builds_on: infra:cdn${between}debates:auth:token`);
      assert.deepEqual(
        references.map((each) => `${each.relationship} ${each.written}`),
        ['builds_on infra:cdn', 'debates auth:token'],
        between,
      );
    }
  });

  it('[G-10] a word or a number that is no reference is none', () => {
    for (const text of ['auth', 'abcdef1', `${U}-0`, '10:30', 'https://x.y/z', 'the old way: slow', '`***`'])
      assert.deepEqual(parseReasoning(`builds_on: ${text}`).references, [], text);
  });

  it('[G-10] the names of a topic are tried as written first, then without a Korean particle', () => {
    const spellings = (text: string) => topicSpellings({ written: text, mayBeTopic: true });
    assert.deepEqual(spellings('infra:cdn'), ['infra:cdn']);
    assert.deepEqual(spellings('infra:cdn에서는'), ['infra:cdn에서는', 'infra:cdn에서', 'infra:cdn']);
    assert.deepEqual(spellings('배포:롤백을'), ['배포:롤백을', '배포:롤백']);
    assert.deepEqual(topicSpellings({ written: '배포:롤백을', mayBeTopic: false }), []);
  });

  it('[G-10] a reference may have meant a decision by its id, the beginning of that, its topic or the version', () => {
    const decision = { id: U, topic: 'INFRA: cdn', version: 2 };
    const can = (text: string) => canMean({ written: text, mayBeTopic: true }, decision);
    for (const text of [
      U,
      `decision_${U}`,
      '3f2504e0',
      'infra:cdn',
      'infra:cdn@2',
      'infra:cdn에서',
      'infra:cdn@2를',
    ])
      assert(can(text), text);
    for (const text of ['3f25', '3f2504e1', 'infra', 'infra:cdn@1']) assert(!can(text), text);
  });
});

describe('parseReasoning: words that make no link', () => {
  const near = (text: string) =>
    parseReasoning(text).nearLinks.map((each) => `${each.isCertain ? '' : '?'}${each.word} → ${each.meant}`);

  it('[G-10] are told with what they were meant as', () => {
    const cases: [text: string, expected: string][] = [
      ['supersedes: infra:cdn', 'supersedes → supersedes'],
      [`**Supercedes:** [${U}]`, 'Supercedes → supersedes'],
      ['build_on: infra:cdn', 'build_on → builds_on'],
      ['`builds_upon`: [a, b]', 'builds_upon → builds_on'],
      ['built_on는: infra:cdn', 'built_on → builds_on'],
      ['building_on：3f2504e0', 'building_on → builds_on'],
      ['based_on: infra:cdn', '?based_on → builds_on'],
      [`depends on: ${U}`, 'depends on → builds_on'],
      [`debate: ${U}`, 'debate → debates'],
      ['debated: infra:cdn', '?debated → debates'],
      ['synthesises: [a]', 'synthesises → synthesizes'],
      [`synthesis: ${U}`, 'synthesis → synthesizes'],
    ];
    for (const [text, expected] of cases) {
      assert.deepEqual(near(text), [expected], text);
      assert.deepEqual(parseReasoning(text).references, [], text);
    }
  });

  it('[G-10] [W-2] leave the words with what they name, when nothing else can be meant', () => {
    assert.equal(parseReasoning('Old. supersedes: infra:cdn since slow').prose, 'Old.   since slow');
    const ordinary = 'We are based on: node:22 and depends_on: [db]';
    assert.equal(parseReasoning(ordinary).prose, ordinary);
  });
});

/** What people write in sentences; none of it is a link, or a failed one. */
const ORDINARY = [
  'What this builds upon: years of work. We build on: three things, speed first.',
  'The debate: tabs or spaces. Debated: at length. Debating: still.',
  'Synthesis: both are needed. We synthesize: first the one, then the other.',
  'It is based on: measurements of May. Depends on: nothing. depends_on: db, redis',
  'Built on: Node. A role-based on: off switch. Superseding: no. This supersedes: RFC 2616.',
  'Note: slow. Reason: cost. See: https://x.y/z?a=b:c. At 10:30: stopped. Ratio 3:4.',
  'Rebuild on: push. cloud-based on: request. rebuilds_on: change. my_debates: none.',
  'We debate infra:cdn often, and build on auth:token; this supersedes infra:dns.',
  'Commit 3f2504e0 builds on 20261122; key: value, a:b, #38.',
  '이유: 느리다. 근거: 측정 결과. 기반: 없음. 참고: https://x.y/z',
  '논쟁: 탭이냐 공백이냐. 종합: 둘 다 필요하다. 결론은: infra:cdn을 유지한다.',
  '빌드는 push 때: 다시 한다. 이 결정은 auth:token에 기반한다. #38을 보라.',
];

describe('parseReasoning: ordinary sentences with colons', () => {
  it('[G-10] say nothing of links, in English and Korean', () => {
    for (const text of [...ORDINARY, ORDINARY.join('\n')]) {
      const { references, nearLinks, warnings, prose } = parseReasoning(text);
      assert.deepEqual([references, warnings, prose], [[], [], text], text);
      assert.deepEqual(nearLinks, [], text);
    }
  });
});

const segment = fc.stringMatching(/^[a-z가-힣][a-z0-9가-힣-]{0,8}[a-z가-힣]$/);
const topic = fc
  .array(segment, { minLength: 2, maxLength: 3 })
  .map((parts) => parts.join(':'))
  .filter((name) => !/^(?:debates|builds-?on|synthesizes):/.test(name));

describe('parseReasoning: any list of topics is read back exactly', () => {
  const notations: Record<string, (names: string[]) => string> = {
    'a bare list': (names) => names.join(', '),
    'a list of conjunctions': (names) => `${names.join(' and ')}.`,
    'a bracketed list': (names) => `[${names.join(', ')}]`,
    'a list in backquotes': (names) => names.map((name) => `\`${name}\``).join('와 '),
    'bold topics': (names) => names.map((name) => `**${name}**`).join('; '),
    bullets: (names) => `\n${names.map((name) => `- ${name} — why`).join('\n')}\n\nProse: a:b`,
    JSON: (names) => JSON.stringify(names),
  };
  for (const [name, render] of Object.entries(notations))
    it(`[G-10] from ${name}`, () => {
      fc.assert(
        fc.property(fc.uniqueArray(topic, { minLength: 1, maxLength: 5 }), (topics) => {
          assert.deepEqual(written(`debates: ${render(topics)}`), topics);
        }),
        { numRuns: 100 },
      );
    });
});
