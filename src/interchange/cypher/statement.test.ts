import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mergeNamedNode, mergeNode, mergeRelation, type NodeKey, uniqueKey } from './statement.ts';

const SPECIAL = [
  ...'\'"`\\{}()[]$;/*u',
  ...[
    "\\'",
    '\\\\',
    '\\u0027',
    '\\U00000027',
    "'})",
    '//',
    '/*',
    'DETACH DELETE n',
    '0027',
    '\\u',
    "'' + ''",
  ],
  ...[
    '\n',
    '\r\n',
    '\t',
    '\0',
    '\b',
    '\x1b',
    '\x7f',
    '\x85',
    '\u2028',
    '\u2029',
    '\u200b',
    '\ufeff',
    '\ufffd',
  ],
  ...['한', '한'.normalize('NFD'), '😀', 'é', '＇', '\u02bc', '\u2019'],
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...SPECIAL), fc.string({ unit: 'binary', maxLength: 5 })), {
    maxLength: 12,
  })
  .map((pieces) => pieces.join(''));

const keyword = (name: string): NodeKey => ({ label: 'Keyword', key: 'name', value: name });
const memo: NodeKey = { label: '_Info', key: 'id', value: 'm1' };

/** What a text stands as in a statement, without the quotes around it. */
function literalOf(text: string): string {
  const [before, after] = ["MERGE (n:Keyword {name: '", "'});"];
  const statement = mergeNode(keyword(text), {});
  assert(statement.startsWith(before) && statement.endsWith(after), statement);
  return statement.slice(before.length, -after.length);
}

/** What a reader makes of it: the escapes of Cypher, of which two kinds are written. */
function read(literal: string): string {
  return literal.replace(/\\(?:u([\da-fA-F]{4})|(.))/gs, (_, code, character) => {
    if (code === undefined)
      assert.match(character, /['\\]/, `an escape that means something else: ${literal}`);
    return code === undefined ? character : String.fromCharCode(Number.parseInt(code, 16));
  });
}

describe('the literal of a text', () => {
  const cases: [text: string, literal: string][] = [
    ['plain 한글 😀', 'plain 한글 😀'],
    ["it's", "it\\'s"],
    ['say "x" `y`', 'say "x" `y`'],
    ['C:\\temp', 'C:\\\\temp'],
    ["\\'", "\\\\\\'"],
    ['a\nb\r\t\0', 'a\\u000ab\\u000d\\u0009\\u0000'],
    ['\x85\u2028\u2029', '\\u0085\\u2028\\u2029'],
    ["x'}) MATCH (n) DETACH DELETE n; //", "x\\'}) MATCH (n) DETACH DELETE n; //"],
  ];
  for (const [text, literal] of cases) {
    it(`[M-10] is '${literal}' for ${JSON.stringify(text)}`, () => assert.equal(literalOf(text), literal));
  }

  it('[M-10] reads as exactly the text when a backslash stands before a line end', () => {
    for (const text of ['curl \\\n  -v', 'C:\\\r\n', '\\\\\n', '\\\u2028', '\\\0']) {
      assert.equal(read(literalOf(text)), text);
    }
  });

  it('[M-10] reads as exactly the text, and holds no quote that would end it, for any text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const literal = literalOf(text);
        assert.match(literal, /^(?:[^'\\]|\\.)*$/s);
        assert.equal(read(literal), text);
      }),
      { numRuns: 3_000 },
    );
  });

  it('[M-10] also for a reader that resolves \\uXXXX before it looks for quotes', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const code = (_: string, digits: string) => String.fromCharCode(Number.parseInt(digits, 16));
        const resolved = literalOf(text).replace(/\\u([\da-fA-F]{4})/g, code);
        assert.match(resolved, /^(?:[^'\\]|\\.)*$/s);
        assert.equal(read(resolved), text);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('statements', () => {
  it('[M-10] a constraint that may be there already', () => {
    assert.equal(
      uniqueKey('Keyword', 'name'),
      'CREATE CONSTRAINT precedent_Keyword_name IF NOT EXISTS FOR (n:Keyword) REQUIRE n.name IS UNIQUE;',
    );
  });

  it('[M-10] a node by its key, with every kind of property; what is missing is left out', () => {
    const properties = { visits: 0, weight: 1.1, ok: false, text: '', list: ['a', "b'"], none: [] };
    assert.equal(
      mergeNode(keyword('unity'), { ...properties, gone: null, unset: undefined }),
      "MERGE (n:Keyword {name: 'unity'}) SET n += {visits: 0, weight: 1.1, ok: false, text: '', list: ['a', 'b\\''], none: []};",
    );
    assert.equal(
      mergeNode({ label: 'Outcome', key: 'id', value: 7 }, { a: null }),
      'MERGE (n:Outcome {id: 7});',
    );
  });

  it('[M-13] a node with its name as a label, and then with that of its kind', () => {
    const spelled: [name: string, label: string][] = [
      ['unity', '`unity`'],
      ['한글 토큰', '`한글 토큰`'],
      ['a`b``', '`a``b`````'],
      ["it's: \\ {x}", "`it's: \\ {x}`"],
      ['\\u0060', '`\\u005cu0060`'],
      ['\\\\u0060', '`\\u005c\\u005cu0060`'],
      ['a\nb\u2028', '`a\\u000ab\\u2028`'],
    ];
    for (const [name, label] of spelled) {
      const statement = mergeNamedNode(keyword(name));
      assert.equal(statement.slice(0, statement.indexOf(' {name: ')), `MERGE (n:${label}`);
    }
    assert.equal(
      mergeNamedNode(keyword('unity'), { visits: 2 }),
      "MERGE (n:`unity` {name: 'unity'}) SET n:Keyword, n += {visits: 2};",
    );
  });

  it('[M-13] a label holds no backtick that would end it, also when numbered escapes are resolved first', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const statement = mergeNamedNode(keyword(text));
        const written = statement.slice('MERGE (n:'.length, statement.lastIndexOf(" {name: '"));
        const literal = literalOf(text);
        assert.equal(statement, `MERGE (n:${written} {name: '${literal}'});`);
        assert.match(written, /^`(?:[^`]|``)*`$/);
        const code = (_: string, digits: string) => String.fromCharCode(Number.parseInt(digits, 16));
        const resolved = written.replace(/\\u([\da-fA-F]{4})/g, code);
        assert.match(resolved, /^`(?:[^`]|``)*`$/s);
        assert.equal(resolved.slice(1, -1).replaceAll('``', '`'), text);
      }),
      { numRuns: 3_000 },
    );
  });

  it('[M-10] a relation between two nodes, told apart by what is given', () => {
    const ends = "MATCH (a:_Info {id: 'm1'}) MATCH (b:Keyword {name: 'unity'})";
    assert.equal(mergeRelation(memo, 'ABOUT', keyword('unity')), `${ends} MERGE (a)-[r:ABOUT]->(b);`);
    assert.equal(
      mergeRelation(memo, 'RELATION', keyword('unity'), { depth: 2, note: null }, { type: "it's" }),
      `${ends} MERGE (a)-[r:RELATION {type: 'it\\'s'}]->(b) SET r += {depth: 2};`,
    );
  });

  it('[M-10] each one line that differs from a harmless one in its literals only, wherever the text stands', () => {
    const LITERAL = /'(?:[^'\\]|\\.)*'/gs;
    const statements = (text: string) => [
      mergeNode(keyword(text), { text, list: [text, text] }),
      mergeRelation(keyword(text), 'RELATION', keyword(text), { note: text }, { type: text }),
    ];
    const harmless = statements('x').map((statement) => statement.replace(LITERAL, '?'));
    fc.assert(
      fc.property(hostile, (text) => {
        for (const [index, statement] of statements(text).entries()) {
          assert.doesNotMatch(statement, /[\p{Cc}\u2028\u2029]/u);
          assert.equal(statement.replace(LITERAL, '?'), harmless[index]);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
