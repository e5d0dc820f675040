import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { queryTerms } from './analysis.ts';
import { snippet } from './snippet.ts';

const about = (text: string, question: string) =>
  snippet(text, new Map(queryTerms(question).map((term) => [term, 1])));
const filler = 'Nothing to see here, move on. '.repeat(20);

describe('snippet', () => {
  it('[W-3] shows the words around the place that tells the most', () => {
    const text = `The vendor is known. ${filler}The vendor quoted 900 euros a month. ${filler}`;
    assert.match(
      about(text, 'what has the vendor quoted') ?? '',
      /^….*The vendor quoted 900 euros a month\..*…$/,
    );
  });

  it('finds Korean with its particles, stems, and small and capital letters', () => {
    assert.match(about(`${filler}운영팀은 장애를 복구했다.`, '장애 복구') ?? '', /장애를 복구했다\.$/);
    assert.match(about('The RETRIES tripled at night', 'retry') ?? '', /^The RETRIES tripled/);
  });

  it('is short, on one line, and begins and ends with whole words', () => {
    const shown = about(`${filler}\n\n"Fail over"\tof the queue\n${filler}`, 'queue') ?? '';
    assert(shown.length <= 122 && !/[\n\t]/.test(shown), shown);
    for (const word of shown.replaceAll('…', '').trim().split(' '))
      assert(`${filler}"Fail over" of the queue`.includes(word));
  });

  it('shows nothing when no word is there, and does not stop at texts of megabytes', () => {
    assert.equal(about('Nothing of it', 'zebra'), undefined);
    assert.match(about(`${'x '.repeat(2_000_000)}zebra`, 'zebra') ?? '', /zebra$/);
  });
});
