import {
  type Found,
  hasAlgorithm,
  hasKey,
  isAssigned,
  isBotToken,
  isCredentials,
  isIssued,
  isPassword,
  isRandom,
} from './secret-check.ts';
import {
  BEGIN_OF_RUN,
  END,
  END_OF_RUN,
  exactly,
  form,
  formInAnyCase,
  START,
  START_OF_RUN,
} from './secret-pattern.ts';
import { NAMED_SECRETS, type Row, SHORTEST_TOKEN, TOKENS } from './secret-tokens.ts';

/** A form in which secrets are issued or written, by which one is known for certain (Z-9). */
export interface SecretForm {
  /**
   * The name written in its place, as in `[masked: GitHub token]`; or several, one for each group `row0`, `row1`, … of the
   * pattern.
   */
  name: string | readonly Row[];
  /** A pattern that is found fast and is in every text with such a secret. */
  sign: string;
  /** Finds them in time that grows with the text. Its group `secret`, by default all of it, is masked and ends the match. */
  pattern: () => RegExp;
  /** Set where the pattern alone does not tell. */
  isSecret?: (found: Found) => boolean;
}

/** Between the name of a secret and its value: in a shell, JSON, YAML, XML, a table, a prompt of `aws configure`. */
const NAMED =
  '["\'`]?\\s{0,5}(?:\\[[^\\]\\n]{0,24}\\])?\\s{0,5}(?:=>|[:=|>,])?(?:\\s{0,40}["\']?value["\']?\\s{0,3}[:=])?\\s{0,5}["\'`]?';

/** The separators between lines of a key, also where they were made one string, and such a line: base64, or a checksum. */
const BREAK = String.raw`(?:\\[nr]|%0[AaDd]|[\s>|"',]){1,100}`;
const KEY_LINE = '[A-Za-z0-9+/]{16,}={0,2}|[A-Za-z0-9+/]{1,15}={1,2}|=[A-Za-z0-9+/]{4}';
const SPACE = '(?:[ +]|%20)';
const KEY_LABEL = `(?:[A-Z0-9]{2,12}${SPACE}){0,3}PRIVATE${SPACE}KEY(?:${SPACE}BLOCK)?`;

const SLASH = String.raw`(?:\\?/|%2[Ff])`;

/** The beginning of a name that is long enough for a token. */
const LONG = `${BEGIN_OF_RUN}(?=[A-Za-z0-9_.~-]{${SHORTEST_TOKEN}})`;
const AUTHORIZATION = 'authorization(?:["\'`]|%22)?\\s{0,5}[:=,]\\s{0,5}["\'`]?';
/** A value without quotes around it: no sign ends it that ends a sentence, an argument or a query. */
const BARE = '[^\\s"\'`<>,;&|)]{4,126}[^\\s"\'`<>,;&|).:]';
const PASSWORD = '(?:passwor[dt]|passwd|passphrase|(?<=[_-])pass|(?<=[_-])pwd|(?<![a-z_])pwd)';

/** Each row as a group of its own, by which the name is found. */
const among = (rows: readonly Row[], pattern: (row: Row, group: string) => string): string =>
  `(?:${rows.map((row, at) => pattern(row, `(?<row${at}>`)).join('|')})`;

/**
 * Every form that is masked, as its issuer documents it; what may hold others is looked for first. Test keys of Stripe
 * are left: its documentation shows them, and they move no money. Examples of each: `test/support/secret-examples.ts`.
 */
export const SECRET_FORMS = [
  {
    name: 'private key',
    sign: '-----BEGIN',
    pattern: form(
      `-----BEGIN${SPACE}${KEY_LABEL}-----`,
      `(?<body>(?:[^-]|-(?!----)){0,100000}-----END${SPACE}${KEY_LABEL}-----`,
      // Without an end it goes as far as the lines of a key do.
      `|(?:${BREAK}(?:[A-Za-z-]{3,30}: [^\\n\\\\]{0,200}|${KEY_LINE}))*)`,
    ),
    isSecret: hasKey,
  },
  {
    // PuTTY: what comes before is the public half.
    name: 'private key',
    sign: 'Private-Lines',
    pattern: form(
      `Private-Lines: ?\\d{1,4}(?<body>(?:${BREAK}(?:${KEY_LINE}))*)(?:${BREAK}Private-MAC: ?[0-9a-f]{40,64})?`,
    ),
    isSecret: hasKey,
  },
  {
    // Forty signs alone may be any hash: only next to its name, or next to its id, as the console lists them.
    name: 'AWS secret key',
    sign: '[Ss][Ee][Cc][Rr][Ee][Tt][_ -]?(?:[Aa][Cc][Cc][Ee][Ss][Ss][_ -]?)?[Kk][Ee][Yy]|A[KS]IA',
    pattern: formInAnyCase(
      `(?:(?:aws[_-]?secret[_-]?key|secret[_ -]?access[_ -]?key)${NAMED}`,
      `|${START}A(?:KIA|SIA)[A-Z0-9]{16}["']?[,:;\\s]["']?)`,
      '(?<secret>(?:[A-Za-z0-9/+]|%2[FfBb]){40})(?![A-Za-z0-9/+=])',
    ),
    isSecret: (found) => isIssued(found) && !/^[0-9a-f]+$/i.test(found.secret),
  },
  {
    name: 'AWS access key id',
    sign: 'A(?:KIA|SIA|BIA|CCA)',
    pattern: form(`${START}A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}${END}`),
    // The others begin as words do.
    isSecret: (found) => isIssued(found) && /^AKIA|^A..A(?=.*\d)[A-Z2-7]{16}$/.test(found.secret),
  },
  {
    name: 'GitHub token',
    sign: 'gh[pousr]_|github_pat_',
    pattern: form(
      `${START}(?:gh[pousr]_(?:[A-Za-z0-9]{36,255}${END}|${exactly('[A-Za-z0-9]', 36)}${END})`,
      `|github_pat_[A-Za-z0-9]{20,30}_[A-Za-z0-9]{40,220}${END})`,
    ),
    isSecret: isIssued,
  },
  {
    name: 'GitLab token',
    sign: 'gl[a-z]{2,5}-|GR1348941',
    pattern: form(
      `${START}(?:gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[A-Za-z0-9_-]{20,300}`,
      String.raw`(?:\.[0-9a-z]{2}\.?[0-9a-z]{7,9})?|GR1348941[A-Za-z0-9_-]{20})`,
      END_OF_RUN,
    ),
    isSecret: isRandom,
  },
  {
    name: 'Slack token',
    sign: 'xox[a-z]|xapp-',
    pattern: form(
      `${START}(?:xox[a-eoprs](?:\\.xox[bp])?-\\d{1,13}-[A-Za-z0-9-]{16,250}${END_OF_RUN}`,
      `|xapp-\\d-[A-Z0-9]{8,14}-\\d{10,16}-[a-f0-9]{32,64}${END}`,
      `|xoxd-[A-Za-z0-9%+/=]{40,400})`,
    ),
    isSecret: isRandom,
  },
  {
    name: 'Slack webhook',
    sign: 'hooks\\.slack\\.com',
    pattern: form(
      `hooks\\.slack\\.com${SLASH}(?:services|workflows|triggers)${SLASH}`,
      `(?<secret>[TE][A-Z0-9]{6,14}${SLASH}(?:[AB][A-Z0-9]{6,14}${SLASH})?(?:\\d{6,24}${SLASH})?[A-Za-z0-9]{20,40})`,
      END,
    ),
    isSecret: isIssued,
  },
  {
    name: 'Stripe key',
    sign: '[sr]k_live_',
    pattern: form(`${START}[sr]k_live_[A-Za-z0-9]{16,250}(?![A-Za-z0-9_])`),
    isSecret: isRandom,
  },
  {
    name: 'Google API key',
    sign: 'AIza',
    pattern: form(`${START}AIza(?:[A-Za-z0-9_-]{35}|${exactly('[A-Za-z0-9_-]', 35)})${END_OF_RUN}`),
    isSecret: isRandom,
  },
  {
    name: 'Google OAuth secret',
    sign: 'GOCSPX-',
    pattern: form(`${START}GOCSPX-[A-Za-z0-9_-]{24,40}${END_OF_RUN}`),
    isSecret: isRandom,
  },
  {
    name: 'Google access token',
    sign: 'ya29\\.',
    pattern: form(`${START}ya29\\.[A-Za-z0-9_-]{30,2000}`),
    isSecret: isRandom,
  },
  {
    name: 'npm token',
    sign: 'npm_|:_authToken',
    pattern: form(
      `(?=npm_|:_)(?:${START}(?=npm_)|:_authToken ?= ?["']?)`,
      `(?<secret>npm_(?:[A-Za-z0-9]{36}|${exactly('[A-Za-z0-9]', 36)})`,
      '|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})',
      END,
    ),
    isSecret: isIssued,
  },
  {
    name: 'Anthropic key',
    sign: 'sk-ant-',
    pattern: form(
      `${START}sk-ant-[a-z]{3,8}\\d{2}-`,
      `(?:[A-Za-z0-9_-]{24,200}${END_OF_RUN}|${exactly('[A-Za-z0-9_-]', 95)}${END_OF_RUN})`,
    ),
    isSecret: isRandom,
  },
  {
    name: 'OpenAI key',
    sign: 'sk-',
    pattern: form(
      `${START}sk-(?:(?:proj|svcacct|admin|service|None)-[A-Za-z0-9_-]{40,250}|[A-Za-z0-9]{40,64})${END_OF_RUN}`,
    ),
    // A shorter or longer text than the old keys may be a hash in the name of a file.
    isSecret: (found) =>
      isRandom(found) && /^sk-(?:.{48}$|[^-]+-|[a-f]*\d.*[g-z]|[a-f]*[g-z].*\d)/i.test(found.secret),
  },
  {
    name: 'JSON Web Token',
    sign: 'eyJ',
    pattern: form(
      `${START_OF_RUN}(?<header>eyJ[A-Za-z0-9_-]{8,})\\.[A-Za-z0-9_-]{8,}\\.(?<signature>[A-Za-z0-9_-]{16,})`,
    ),
    isSecret: hasAlgorithm,
  },
  {
    name: 'password',
    sign: ':\\\\?/\\\\?/',
    pattern: form(
      '(?<=[A-Za-z0-9]):\\\\?/\\\\?/(?<user>[^\\s/?#:@"\'<>`[\\\\]{0,128}):(?<secret>[^\\s/?#"\'<>`\\\\]{1,256})',
      '(?=@(?<host>\\[[0-9A-Fa-f:.]{2,45}\\]|[^\\s/?#:@"\'<>`,;)\\\\]{1,255}))',
    ),
    isSecret: isPassword,
  },
  {
    // With a slash, ? or # that is not encoded; the schemes are recognised by their ends. A port is not a password, and an address
    // of these seldom has an @ in its path.
    name: 'password',
    sign: '(?:sql|gres|mariadb|mongodb(?:\\+srv)?|rediss?|amqps?|clickhouse|sqlserver|ftps?|smtps?|ldaps?)://',
    pattern: form(
      '(?:sql|gres|mariadb|mongodb(?:\\+srv)?|rediss?|amqps?|clickhouse|sqlserver|ftps?|smtps?|ldaps?)://',
      '(?<user>[^\\s/?#:@"\'<>`[\\\\]{0,128}):(?!(?:\\d{1,5}|[A-Z_]*PORT|port)[/?#,])',
      '(?<secret>[^\\s/?#@"\'<>`[{$\\\\]{0,128}[/?#][^\\s@"\'<>`\\\\]{0,128})',
      '(?=@(?<host>\\[[0-9A-Fa-f:.]{2,45}\\]|[^\\s/?#:@"\'<>`,;)\\\\]{1,255}))',
    ),
    isSecret: isPassword,
  },
  {
    // An address inside another one.
    name: 'password',
    sign: '%3A%2F%2F',
    pattern: form(
      '(?<=[A-Za-z0-9])%3A%2F%2F(?<user>[^\\s/%:@&"\'<>]{0,128})%3A',
      '(?<secret>(?:[^\\s/%:@&"\'<>]|%(?!40|2F)[0-9A-F]{2}){1,256})(?=%40(?<host>[A-Za-z0-9.-]{1,255}))',
    ),
    isSecret: isPassword,
  },
  {
    name: TOKENS,
    sign: `${LONG}(?:${TOKENS.map(([, begin]) => begin).join('|')})`,
    pattern: form(
      LONG,
      among(TOKENS, ([, begin, rest], group) => `${group}(?:${begin})${rest})`),
      END_OF_RUN,
    ),
    isSecret: isRandom,
  },
  {
    name: NAMED_SECRETS,
    sign: '_(?:TOKEN|KEY)["\\s:=]|(?:[Ss]ession|[Ss]ecurity)_?[Tt]oken|(?:Account|Access)Key=',
    pattern: formInAnyCase(
      among(NAMED_SECRETS, ([, names, rest], group) => `(?:${names})${NAMED}${group}${rest})`),
      '(?![A-Za-z0-9_+/=-])',
    ),
    isSecret: (found) => isRandom(found) && /\d/.test(found.secret),
  },
  {
    name: 'Azure client secret',
    sign: '\\dQ~',
    pattern: form(`(?<=(?<![A-Za-z0-9_.~-])[A-Za-z0-9_.~-]{3})\\dQ~[A-Za-z0-9_.~-]{31,34}(?![A-Za-z0-9_~-])`),
    isSecret: isIssued,
  },
  {
    name: 'New Relic key',
    sign: 'NRAL',
    pattern: form(`${START_OF_RUN}[a-z0-9]{32}(?:FFFF|[a-f0-9]{4})NRAL${END_OF_RUN}`),
  },
  {
    name: 'Telegram token',
    sign: ':AA',
    pattern: form(`(?<=(?<![A-Za-z0-9_-])(?:bot)?\\d{8,10}):(?<secret>AA[A-Za-z0-9_-]{33})${END_OF_RUN}`),
    isSecret: isIssued,
  },
  {
    name: 'Discord token',
    sign: '[MNO][A-Za-z0-9_-]{22,27}\\.[A-Za-z0-9_-]{6}\\.',
    pattern: form(
      `${START_OF_RUN}(?<user>[MNO][A-Za-z0-9_-]{22,27})\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,38}${END_OF_RUN}`,
    ),
    isSecret: isBotToken,
  },
  {
    name: 'Discord webhook',
    sign: 'discord(?:app)?\\.com',
    pattern: form(
      `discord(?:app)?\\.com${SLASH}api${SLASH}(?:v\\d{1,2}${SLASH})?webhooks${SLASH}`,
      `(?<secret>\\d{17,20}${SLASH}[A-Za-z0-9_-]{60,80})${END_OF_RUN}`,
    ),
    isSecret: isIssued,
  },
  {
    name: 'credentials',
    sign: '[Aa]uthorization|AUTHORIZATION',
    pattern: formInAnyCase(
      `${AUTHORIZATION}basic(?:\\s|%20|\\+){1,3}(?<secret>[A-Za-z0-9+/_-]{8,400}={0,2})${END}`,
    ),
    isSecret: isCredentials,
  },
  {
    // A JSON Web Token that is left here is one of documentation.
    name: 'bearer token',
    sign: '[Aa]uthorization|AUTHORIZATION',
    pattern: formInAnyCase(
      `${AUTHORIZATION}(?:bearer|token|api-?key|ssws)(?:\\s|%20|\\+){1,3}(?!eyJ)(?<secret>[A-Za-z0-9._~+/-]{20,2000}={0,2})`,
      '(?![A-Za-z0-9])',
    ),
    isSecret: (found) => isRandom(found) && /\d/.test(found.secret),
  },
  {
    // In a shell, a file of settings, an address or a connection string; with blanks only in quotes or after a variable.
    name: 'password',
    sign: '[Pp]ass(?:w|phrase)|PASS|[Pp]wd|PWD|[_-]pass',
    pattern: formInAnyCase(
      `${PASSWORD}(?:=|["']?\\s{0,3}(?:=>|[:=])\\s{0,3}(?=["'\`])|(?<=[A-Z0-9]_[A-Z]{3,10}|\\n[ \\t-]{0,40}[A-Z]{3,10}): {1,3}(?=\\S{4,128}[ \\t]*(?:\\n|$)))["'\`]?(?<secret>${BARE})`,
    ),
    isSecret: isAssigned,
  },
  {
    name: 'password',
    sign: 'curl',
    pattern: form(
      '(?<![A-Za-z0-9])curl(?=\\s)[^\\n|;]{0,200}?\\s(?:-[a-zA-Z]{0,6}u|--user)[ =]?["\']?',
      `(?<user>[^\\s:"'$<]{0,64}):(?<secret>${BARE})`,
    ),
    isSecret: isAssigned,
  },
  {
    // As options of programs, and in a file of netrc.
    name: 'password',
    sign: '--[a-z-]{0,20}passw|(?:mysql|mariadb|mysqldump|login|sshpass|redis-cli)\\s',
    pattern: form(
      '(?:--[a-z-]{0,20}passw(?:or)?d\\s{1,3}',
      '|(?<![A-Za-z0-9])(?:(?:mysql(?:dump|admin)?|mariadb)(?=\\s)[^\\n|;]{0,200}?\\s-p',
      '|(?:(?:docker|podman|registry)\\s{1,3}login(?=\\s)[^\\n|;]{0,200}?\\s|sshpass\\s{1,3})-p\\s{0,3}',
      '|redis-cli(?=\\s)[^\\n|;]{0,200}?\\s-a\\s{1,3}',
      '|machine\\s{1,9}\\S{1,128}\\s{1,9}login\\s{1,9}\\S{1,128}\\s{1,9}password\\s{1,9}))',
      `["']?(?<secret>${BARE})`,
    ),
    isSecret: isAssigned,
  },
] as const satisfies readonly SecretForm[];

type Named<Name> = Name extends string ? Name : Name extends readonly Row[] ? Name[number][0] : never;
export type FormName = Named<(typeof SECRET_FORMS)[number]['name']>;
