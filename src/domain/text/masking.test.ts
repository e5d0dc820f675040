import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { withinProcessorTime } from '../../../test/support/clock.ts';
import { SECRET_EXAMPLES } from '../../../test/support/secret-examples.ts';
import { countedForms, isMasked, mask, maskDeep, withoutMarks } from './masking.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures');
const written = (text: string) => text.replaceAll('·', '');

/** What of a text was masked. */
function namesIn(text: string): string[] {
  const names: string[] = [];
  mask(text, (name) => names.push(name));
  return names;
}

const EXAMPLES = Object.entries(SECRET_EXAMPLES).map(([name, examples]) => ({ name, left: [], ...examples }));

describe('mask', () => {
  for (const { name, masked, left } of EXAMPLES) {
    for (const text of masked)
      it(`[Z-9] [Z-16] masks: ${name}: ${JSON.stringify(text)}`, () => {
        const now = mask(written(text));
        assert.deepEqual(namesIn(written(text)), [name], now);
        assert(now.includes(`[masked: ${name}]`), now);
        // Nothing of it is left but its beginning, where that was written down.
        const secret = text.split('·')[1]?.slice(0, 12);
        assert(secret === undefined || !now.includes(secret), now);
        assert.equal(mask(now), now);
      });
    for (const text of left)
      it(`[Z-9] leaves: ${name}: ${JSON.stringify(text)}`, () =>
        assert.equal(mask(written(text)), written(text)));
  }

  it('[Z-9] [Z-16] changes nothing in ordinary texts of code and documents', () => {
    const texts = readFileSync(join(FIXTURES, 'ordinary-texts.txt'), 'utf8').split('\n%%\n').map(written);
    assert(texts.length >= 200);
    assert.deepEqual(
      texts.filter((text) => mask(text) !== text),
      [],
    );
  });

  it('[Z-9] every form is found wherever it is written', () => {
    for (const { name, masked } of EXAMPLES)
      for (const text of masked.map(written))
        for (const around of [`\`${text}\``, `"${text}"`, `(${text})`, `\n\n${text}\n\n`, `값은 ${text}`])
          assert.deepEqual(namesIn(around), [name], around);
  });

  it('[Z-9] two secrets in one text are both masked, and masking again changes nothing', () => {
    const all = EXAMPLES.flatMap(({ masked }) => masked.map(written));
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...all), fc.string()), { maxLength: 6 }), (parts) => {
        const once = mask(parts.join('\n\n'));
        assert.equal(mask(once), once);
      }),
    );
    assert.deepEqual(
      namesIn(all.join('\n\n')).toSorted(),
      EXAMPLES.flatMap(({ name, masked }) => masked.map(() => name)).toSorted(),
    );
  });

  it('[Z-9] takes time that grows with the text, whatever sign is repeated', async () => {
    const parts = [
      ...new Set(['a', 'A', '0', '-', '_', '.', ':', '/', '@', '%', ' ', '\n', '\\', '+', '=', '가', '"']),
      ...[
        '-----BEGIN',
        '-----BEGIN RSA PRIVATE KEY-----',
        '-----BEGIN PRIVATE KEY-----\nA',
        'Private-Lines: 1\n',
      ],
      ...[
        'secret_access_key',
        'secret_access_key = ',
        'AKIA',
        'ghp_',
        'ghp_a\n',
        'github_pat_',
        'glpat-',
        'gl',
      ],
      ...['xoxb-1-', 'xoxd-', 'hooks.slack.com/services/T', 'sk_live_', 'AIza', 'AIza\n', 'GOCSPX-', 'ya29.'],
      ...[
        'npm_',
        ':_authToken=',
        'sk-ant-api03-',
        'sk-',
        'sk-proj-',
        'eyJ',
        'eyJ.',
        'eyJ-',
        '\\neyJ',
        'eyJaaaaaaaaaa.',
      ],
      ...[
        'hf_',
        'SG.',
        'figd_',
        'glc_',
        'tskey-a-',
        'prec_',
        '%3D',
        'password=',
        'password="',
        'x_password: ',
        'pwd',
      ],
      ...[
        'curl ',
        'curl -u a',
        'curl -u a:',
        '--password ',
        'mysql -',
        'mysql ',
        'docker login ',
        'login ',
        'machine a login a password ',
        'Authorization: Bearer ',
        'Authorization: Basic ',
        'authorization',
      ],
      ...[
        ':AA',
        '1:AA',
        '1Q~',
        'Q~',
        'MMM.',
        'M.M.',
        '_TOKEN=',
        'session_token=',
        'AccountKey=',
        'NRAL',
        '_API_KEY',
      ],
      ...['discord.com/api/webhooks/', 'discord.com/api/webhooks/1'],
      ...['://', 'a://a:', 'a://:@', 'a://a:a@', '%3A%2F%2F', 'a%3A%2F%2Fa%3A', 'pass_', 'a-1-'],
      ...[
        '-----BEGIN PRIVATE KEY-----\n',
        'x-----BEGIN PRIVATE KEY-----a-----END',
        '\n-----BEGIN PRIVATE KEY-----\n\n\n',
      ],
    ];
    // Each alphabet after every beginning that looks for more of it, too.
    const begun = [
      'ghp_',
      'a://a:',
      '-----BEGIN PRIVATE KEY-----\n',
      'sk-proj-',
      'eyJ',
      'secret_access_key=',
      'password=',
      'curl -u a:',
      'Authorization: Bearer ',
      'figd_',
      'session_token=',
    ];
    for (const part of parts) {
      const text = part.repeat(200_000).slice(0, 200_000);
      const all = part.length === 1 ? begun.map((each) => each + text).join(' ') : text;
      await withinProcessorTime(3_000, () => mask(all), JSON.stringify(part));
    }
  });
});

describe('maskDeep', () => {
  it('[Z-9] masks every string and key, however deep; all else is kept', () => {
    const token = written('ghp_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV');
    const names: string[] = [];
    const given = { a: token, [token]: 1, list: [token, 1, null, { deeper: [[token]] }], none: null };
    const mark = '[masked: GitHub token]';
    assert.deepEqual(
      maskDeep(given, (name) => names.push(name)),
      { a: mark, [mark]: 1, list: [mark, 1, null, { deeper: [[mark]] }], none: null },
    );
    assert.equal(countedForms([...names, 'password']), '4 GitHub tokens, 1 password');
    assert(isMasked(`x ${mark}`) && !isMasked('[masked]'));
    assert.equal(withoutMarks(`a ${mark} b`), 'a   b');
  });
});
