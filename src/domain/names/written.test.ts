import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keysWritten, namesRecord } from './written.ts';

describe('the names that an edit adds', () => {
  it('[RE-5] only what is new: neither in the replaced text nor in the file', () => {
    const edit = { path: 'src/a.ts', after: 'queue.send(kafka)' };
    assert.ok(keysWritten(edit).has('kafka'));
    assert.ok(!keysWritten({ ...edit, before: 'kafka.send()' }).has('kafka'));
    assert.ok(!keysWritten({ ...edit, file: 'const kafka = 1;' }).has('kafka'));
  });

  it('[RE-5] packages that are imported or entered, by the usual languages', () => {
    for (const [path, after, name] of [
      ['a.ts', "import cron from 'node-cron';", 'node-cron'],
      ['a.ts', "const moment = require('moment')", 'moment'],
      ['a.ts', "import { x } from '@scope/name';", '@scope/name'],
      ['a.py', 'import pandas as pd', 'pandas'],
      ['a.py', 'from celery import shared_task', 'celery'],
      ['a.go', '\tlog "github.com/sirupsen/logrus"', 'logrus'],
      ['a.rs', 'use native_tls::TlsConnector;', 'native_tls'],
      ['Gemfile', "gem 'sidekiq', '~> 7'", 'sidekiq'],
      ['package.json', '    "lodash": "^4.17.21",', 'lodash'],
      ['requirements.txt', 'pandas==2.0', 'pandas'],
      ['Cargo.toml', 'openssl = { version = "0.10" }', 'openssl'],
    ] as const)
      assert.ok(keysWritten({ path, after }).has(`pkg:${name}`), `${name} in ${after}`);
    assert.ok(!keysWritten({ path: 'a.ts', after: "import x from './moment.ts';" }).has('pkg:./moment.ts'));
    assert.ok(keysWritten({ path: 'a.go', after: 'import "github.com/segmentio/kafka-go"' }).has('kafka'));
  });

  it('[RE-5] fixtures, lock files, generated files, prose and comments add nothing', () => {
    for (const path of [
      'test/fixtures/orders.ts',
      'package-lock.json',
      'pnpm-lock.yaml',
      'go.sum',
      'src/generated/api.ts',
      'api/orders.pb.go',
      'docs/history.md',
      'CHANGELOG.md',
    ])
      assert.equal(keysWritten({ path, after: "import 'kafka';" }).size, 0, path);
    assert.ok(!keysWritten({ path: 'a.ts', after: '// we left kafka in May\nsend();' }).has('kafka'));
    // Such a comment is there for a tool.
    assert.ok(keysWritten({ path: 'a.ts', after: '  // @ts-ignore\nsend();' }).has('@ts-ignore'));
  });

  it('[RE-5] a text that names the record knows of it', () => {
    const record = { id: '3f2a9c71-0000', topic: 'metering:kafka' };
    assert.ok(namesRecord('// see metering:kafka', record));
    assert.ok(namesRecord('git commit -m "kafka again, 3f2a9c71"', record));
    assert.ok(!namesRecord('// kafka', record));
  });
});
