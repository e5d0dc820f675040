import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Unreadable } from './format.ts';
import { json } from './json.ts';
import { valueAt } from './value.ts';

const SERVER = { command: '/usr/bin/node', args: ['/프로그램/precedent.cjs', 'mcp'] };
const PATH = ['mcpServers', 'precedent'];

/** Puts a server in and takes it out again, with the groups that were made for it. */
function thereAndBack(text: string): { put: string; back: string } {
  const put = json.put(text, PATH, SERVER);
  const hadServers = valueAt(json.read(text), ['mcpServers']) !== undefined;
  return { put, back: json.take(put, hadServers ? PATH : ['mcpServers']) };
}

describe('settings in JSON', () => {
  for (const [what, text] of Object.entries({
    'nothing in it': '{}',
    'one line': '{"a":1}',
    'one line with blanks': '{"a": 1, "b": [1, 2]}',
    'one line with a trailing comma': '{"mcpServers":{"x":{"command":"y"},},}',
    'comments at every place':
      '// top\n{\n  // why\n  "a": 1, // behind\n  /* b */\n  "b": 2 // last\n  // end\n}\n// below\n',
    'a trailing comma before a comment': '{\n  "a": { "b": 1 }, // why, and\n}\n',
    'CRLF and tabs': '{\r\n\t"mcpServers": {\r\n\t\t"o": {} // last\r\n\t}\r\n}\r\n',
    'other servers': '{\n    "mcpServers": {\n        "o": { "command": "x" }\n    }\n}',
    'an empty group on its line': '{\n  "mcpServers": {}\n}\n',
    'Korean, and a text that looks like a comment': '{\n  "이름": "// 주석이, 아니다 /*",\n  "b": ",}"\n}\n',
  })) {
    it(`[A-1] ${what}: a server goes in and out, and nothing else changes`, () => {
      const { put, back } = thereAndBack(text);
      assert.deepEqual(valueAt(json.read(put), PATH), SERVER);
      assert.equal(back, text);
      for (const comment of text.match(/\/\/.*|\/\*.*?\*\//g) ?? []) assert(put.includes(comment), comment);
    });
  }

  it('[A-1] a comment stays with the line that it is about', () => {
    const { put } = thereAndBack('{\n  "a": 1, // of a\n  "b": 2 // of b\n}\n');
    assert.match(
      put,
      /"a": 1, \/\/ of a\n {2}"b": 2, \/\/ of b\n {2}"mcpServers": \{\n {4}"precedent": \{\n/,
    );
  });

  it('[A-1] a value that is there is replaced where it stands', () => {
    const text = '{\n  "a": "one", // of a\n  "b": 2\n}\n';
    assert.equal(json.put(text, ['a'], 'two'), text.replace('one', 'two'));
  });

  it('[A-1] an item goes behind all others of its list, and out again', () => {
    for (const text of [
      '{"l":[1,2]}',
      '{\n  "l": [\n    1, // one\n    2 // two\n  ]\n}\n',
      '{\n  "l": []\n}',
    ]) {
      const numbers = (of: string) => json.read(of).l as number[];
      const put = json.put(text, ['l', numbers(text).length], 3);
      assert.deepEqual(numbers(put), [...numbers(text), 3]);
      assert.equal(json.take(put, ['l', numbers(text).length]), text);
    }
  });

  it('[A-1] refuses what it cannot read or change safely', () => {
    for (const [text, message] of [
      ['{"a": }', /line 1 is not JSON/],
      ['{\n"a": 1\n"b": 2}', /line 3 is not JSON/],
      ['[]', /not a JSON object/],
      ['null', /not a JSON object/],
      ['{"mcpServers": null}', /expected a group in mcpServers/],
      ['{"mcpServers": ["a"]}', /expected a group in mcpServers/],
      ['{"mcpServers": {}, "mcpServers": {"b": {}}}', /cannot be changed safely/],
    ] as const)
      assert.throws(
        () => json.put(text, PATH, SERVER),
        (error) => error instanceof Unreadable && message.test(error.message),
        text,
      );
  });

  it('[A-1] any file: a server goes in and out, to the byte', () => {
    const document = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
    const look = fc.constantFrom(0, 1, 2, 4, '\t');
    const eol = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(document, look, eol, fc.boolean(), (value, indent, end, hasServers) => {
        const { mcpServers: _, ['__proto__']: __, ...rest } = value;
        const whole = hasServers ? { mcpServers: { other: { command: 'x' } }, ...rest } : rest;
        const text = JSON.stringify(whole, null, indent).replaceAll('\n', end);
        const { put, back } = thereAndBack(text);
        assert.deepEqual(valueAt(json.read(put), PATH), SERVER);
        assert.equal(back, text);
      }),
      { numRuns: 500 },
    );
  });
});
