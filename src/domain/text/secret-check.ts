/** The groups of a match, by name. */
export type Found = { secret: string } & Record<string, string | undefined>;

/** Values that were never issued: documentation, a template, a text that was cut. */
const PLACEHOLDER =
  /x{4}|\*{2}|\.{3}|…|example|placeholder|your|redacted|replace|changeme|dummy|insert|access_?token/i;
/** Keys and signatures that documentation shows. */
const DOCUMENTED = new Set([
  'gho_16C7e42F292c6912E7710c838347Ae178B4a',
  'ghu_16C7e42F292c6912E7710c838347Ae178B4a',
  // Two parts: whoever looks for secrets in this repository would report it.
  `${'AIza'}SyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe`,
  'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
]);
/** A word or a number of a name, such as a class of CSS. A random string falls into pieces that are none. */
const WORD = /^(?:[A-Za-z]?[a-z]{0,15}\d{0,4}|[A-Z]{1,15}|\d{1,13})$/;

/** Whether somebody may have been issued this, as far as its letters tell. */
export function isIssued({ secret }: Found): boolean {
  return !PLACEHOLDER.test(secret) && !DOCUMENTED.has(secret) && !/_0+$|^AKIA0+$|0{16}/.test(secret);
}

/** {@link isIssued} for a form in which words with hyphens could be written. */
export function isRandom(found: Found): boolean {
  return isIssued(found) && !found.secret.split(/[-_.]/).every((piece) => WORD.test(piece));
}

/** Whether the body of a block is a key: a text about keys and an abbreviated example have too few signs of one. */
export function hasKey({ body = '' }: Found): boolean {
  const signs = (body.match(/[A-Za-z0-9+/]{16,}/g) ?? []).join('').length;
  return signs >= (/\.{3}|…|<|\*{3}|x{8}/i.test(body) ? 200 : 40);
}

/** Whether the first part of a token is the header of a signed one: other programs write their cursors so. */
export function hasAlgorithm({ header = '', signature = '' }: Found): boolean {
  if (DOCUMENTED.has(signature)) return false;
  try {
    const read: unknown = JSON.parse(Buffer.from(header, 'base64url').toString());
    return read !== null && typeof read === 'object' && 'alg' in read && typeof read.alg === 'string';
  } catch {
    return false;
  }
}

/** A word used for a user or a password in examples. */
const MEANT =
  /^(?:\d|(?:(?:your|my|the|some|db|database|user|admin|root|test|app)[-_]?)?(?:(?:super[-_]?)?secret[-_]?)?(?:pass(?:word|wd|wort)?|pwd|pw|secret|token|key|user(?:name)?|root|admin|guest|test|me|name|nutzer|login|[a-z]|비밀번호|사용자)\d{0,3})$/i;
/** Hosts that nobody else reaches, those of documentation (RFC 2606), and words that mean one. */
const NOWHERE =
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0|host(?:name)?|server|db|database|호스트|(?:[\w-]{1,63}\.){0,5}(?:example(?:\.(?:com|org|net))?|test|invalid|localhost|docker\.internal))$/i;
/** Placeholders that a program fills in: `$NAME`, `${…}`, `%NAME%`, `%s`, `{…}`; earlier masks; names of a password. */
const FILLED_IN =
  /^(?:\$(?:\{.*|\(.*|[A-Z_][A-Z0-9_]*)|%(?:[A-Z_]+%|[sd]|\(.*)|\{.*|\[.*|[*•.…x-]+|[A-Z_]*(?:PASS|PWD|SECRET|TOKEN|KEY)[A-Z_]*)$/;
/** In an address of an image, its tag and its digest look as a password and a host do. */
const DIGEST = /^sha(?:256|512)$/i;

/** Whether what an address has in place of a password is one. */
export function isPassword({ secret, user = '', host = '' }: Found): boolean {
  if (FILLED_IN.test(secret) || PLACEHOLDER.test(secret) || DIGEST.test(host)) return false;
  if (secret.toLowerCase() === user.toLowerCase()) return false;
  // A host without a dot is one of its own network, as a file of services names them.
  const isOfExample = MEANT.test(user) || !host.includes('.') || NOWHERE.test(host);
  return !(MEANT.test(secret) && isOfExample);
}

/** References to a password, a name of the program, or a word alone that says what it should be. */
const LOOKED_UP =
  /^[$<{%[*/~@&.?!#(\\]|^\w{2,12}:[/\w]|[([{\\]|^[A-Za-z_]\w*(?:\.\w+)+$|^[\p{L}\p{M}_.:-]+$/u;

/** Whether what is assigned to a password, or follows a user, is one (Z-16). */
export function isAssigned(found: Found): boolean {
  return isPassword(found) && !LOOKED_UP.test(found.secret);
}

/** Whether base64 holds a user and a password. */
export function isCredentials({ secret }: Found): boolean {
  const [, user, password] =
    /^([\x20-\x7e]*?):([\x20-\x7e]+)$/.exec(Buffer.from(secret, 'base64').toString()) ?? [];
  return password !== undefined && isPassword({ secret: password, ...(user && { user }) });
}

/** Whether the first part of a token is the number of a user, as Discord's is. */
export function isBotToken({ user = '' }: Found): boolean {
  return /^\d{17,20}$/.test(Buffer.from(user, 'base64url').toString());
}
