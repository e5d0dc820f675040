import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PrecedentError } from '../domain/error.ts';
import { describeDatabase } from './engines.ts';

/** What is said of an address: how it is shown, or why it is refused. */
function said(db: string): string {
  try {
    return describeDatabase(db).shown;
  } catch (error) {
    assert(error instanceof PrecedentError && error.code === 'invalid');
    return error.message;
  }
}

describe('an address', () => {
  it('is shown without user, password and options', () => {
    for (const url of [
      'postgres://db.example/team',
      'postgres://u:SECRET@db.example/team',
      'postgres://u:SECRET@db.example/team?sslmode=require&password=SECRET',
    ]) {
      assert.equal(said(url), 'postgres://db.example/team');
    }
    assert.equal(said('why.db'), 'why.db');
  });

  it('never shows a password, however it is mistyped', () => {
    for (const db of [
      'postgres://u:12?SECRET@h/db',
      'postgres://u:12#SECRET@h/db',
      'postgres://u:SE/CRET@h/db',
      'postgres://u:SE@CRET@h@/x@y',
      'host=h user=u password=SECRET',
      ' password = SECRET host=h',
      'application_name=x password=SECRET',
      "sslmode=require\tpassword='SECRET' host=h",
      'mysql://u:SECRET@h/db',
    ]) {
      assert.doesNotMatch(said(db), /SECRET|CRET|u:12/, db);
    }
  });
});
