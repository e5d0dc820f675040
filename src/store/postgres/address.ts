import { invalid } from '../../domain/error.ts';

const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/i;

/** Where a database is. */
export interface Address {
  /** One connection string for each host. */
  hosts: string[];
  /** The address without user, password and options. */
  shown: string;
}

/** Whether `db` is meant for PostgreSQL, readable or not. */
export function isPostgresAddress(db: string): boolean {
  return ADDRESS.test(db);
}

/**
 * Reads `postgres://user:password@host:port,host:port/database?options`; what is left out comes from the environment, as
 * everywhere with PostgreSQL.
 * @throws PrecedentError `invalid` for anything else
 */
export function parseAddress(url: string): Address {
  const [, before = '', hosts = '', after = ''] = url.match(ADDRESS) ?? [];
  const names = hosts.split(',');
  const each = names.map((host) => `${before}${host}${after}`);
  const isMissing = names.length > 1 && names.includes('');
  // Else a part of the password would be read as a host.
  const isUnescaped = (before.endsWith('@') ? after.replace(/\?.*$/, '') : after).includes('@');
  const isRead = before !== '' && each.every((one) => URL.canParse(one.replace('@/', '@localhost/')));
  if (!isRead || isMissing || isUnescaped) {
    throw invalid.wrong_address(
      'Expected an address like postgres://user@host:5432/database, hosts separated by commas, found one that cannot be read. In a password "/" is written %2F, "@" %40, ":" %3A, "?" %3F and "#" %23.',
    );
  }
  return { hosts: each, shown: `postgres://${hosts}${after.replace(/[?#].*$/, '')}` };
}
