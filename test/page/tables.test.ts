import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TABLES } from '../../src/page/data/tables.ts';

describe('[X-1] the rows of a list as a file', () => {
  const rows = [
    { topic: 'a:b', text: '=HYPERLINK("http://evil.example")', why: null, n: -1 },
    { topic: '환불', text: 'two\r\nlines, and | a <b>', tags: ['x', 'y'] },
    { topic: '@SUM(A1)', text: '+1+1', n: 2, why: '-2-x' },
  ];

  it('CSV: no cell is a formula, and a spreadsheet reads each back as it was', () => {
    assert.equal(
      TABLES.csv(rows),
      [
        '\uFEFFtopic,text,why,n,tags',
        `a:b,"'=HYPERLINK(""http://evil.example"")",,-1,`,
        '환불,"two\r\nlines, and | a <b>",,,"[""x"",""y""]"',
        `'@SUM(A1),'+1+1,'-2-x,2,`,
        '',
      ].join('\r\n'),
    );
  });

  it('JSON is the answer, and Markdown one table', () => {
    assert.deepEqual(
      JSON.parse(TABLES.json(rows)),
      rows.map((row) => ({ ...row })),
    );
    assert.equal(
      TABLES.md(rows.slice(1, 2)),
      '| topic | text | tags |\n| --- | --- | --- |\n| 환불 | two lines, and \\| a &lt;b> | ["x","y"] |\n',
    );
  });
});
