import { type Key, keysOf } from './keys.ts';

/** Programs that install or fetch something, with the words that make them do so. */
const INSTALLS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:i|in|install|add)$/,
  pnpm: /^(?:i|install|add|dlx)$/,
  yarn: /^(?:add|dlx)$/,
  bun: /^(?:i|install|add|x)$/,
  pip: /^install$/,
  pip3: /^install$/,
  pipx: /^(?:install|run)$/,
  uv: /^(?:add|install)$/,
  poetry: /^add$/,
  cargo: /^(?:add|install)$/,
  go: /^(?:get|install)$/,
  apt: /^install$/,
  'apt-get': /^install$/,
  apk: /^add$/,
  brew: /^install$/,
  gem: /^install$/,
  bundle: /^add$/,
  composer: /^require$/,
  docker: /^(?:run|pull)$/,
  helm: /^(?:install|upgrade)$/,
};
/** Programs that run a package by its name. */
const RUNS = /^(?:npx|bunx|uvx|pnpx)$/;
/** Options that are said by their word. */
const LETTERS: Readonly<Record<string, string>> = {
  'git push -f': '--force',
  'git commit -n': '--no-verify',
  'rm -rf': 'rm -rf',
  'rm -fr': 'rm -rf',
};
/** Programs that read SQL: of their arguments, or of the heredoc that follows. */
const SQL = /^(?:psql|mysql|mariadb|sqlite3|duckdb|clickhouse-client|redis-cli|mongosh)$/;
/** SQL that changes something: of a query only its forms count, such as SELECT *, and no table that it reads. */
const CHANGES =
  /\b(?:insert|update|delete|create|alter|drop|truncate|grant|copy|merge|replace|call|set|flush(?:all|db))\b/i;
/** Words before the program that is meant. */
const BEFORE =
  /^(?:[A-Za-z_]\w*\+?=\S*|sudo|time|exec|command|env|nohup|do|then|xargs|python3?|-m|\$|uv|run|npx|bunx|uvx|pnpx|-y|--yes)$/;
/** Between the parts of a command. Quotation marks may hold more than one of them as text. */
const SPLIT = /&&|\|\||[;|\n]/;
const QUOTED = /'[^']*'|"[^"]*"/g;
/** A longer command is a script, which is seldom about one name. */
const LOOKED_AT = 8_000;
const HEREDOC = /<<-?\s*['"]?(\w+)['"]?[^\n]*\n([\s\S]*?)(?:\n[ \t]*\1\b|$)/g;

/** The names of a command. */
export interface CommandKeys {
  keys: Set<Key>;
  /** Those of the programs that it starts: something failed with Docker seldom because of Docker. */
  programs: Set<Key>;
}

/** The keys of the names that a command installs, runs, sets or sends to a database (RE-5); none of what it only looks at. */
export function keysOfCommand(command: string): CommandKeys {
  const keys = new Set<Key>();
  const programs = new Set<Key>();
  const add = (more: Iterable<Key>) => {
    for (const key of more) keys.add(key);
  };
  const text = command.slice(0, LOOKED_AT);
  const bare = text.replace(HEREDOC, '\n').replace(QUOTED, (each) => each.replace(/[;&|\n]/g, ' '));
  for (const part of bare.split(SPLIT)) {
    const all = part.trim().split(/\s+/);
    const at = all.findIndex((word, index) => !BEFORE.test(word) || isInstall(all.slice(index)));
    const [program = '', ...words] = at < 0 ? [] : all.slice(at);
    const starting = all.slice(0, Math.max(0, at)).filter((word) => word === 'sudo' || RUNS.test(word));
    for (const key of starting.flatMap(runs)) programs.add(key);
    const isRun = starting.some((word) => RUNS.test(word));
    const name = isRun ? withoutVersion(program) : program.replace(/^.*\//, '').toLowerCase();
    if (/^(?:$|[^\w@])/.test(name)) continue;
    const plain = words.filter((word) => !word.startsWith('-'));
    for (const key of runs(name)) (isRun ? keys : programs).add(key);
    if (isInstall([program, ...words])) {
      add(keysOf(words.map(withoutVersion).join(' ')));
      add(plain.flatMap((word) => packageIn(withoutVersion(word))));
    } else if (SQL.test(name))
      add([...keysOf(text)].filter((key) => CHANGES.test(text) || key.includes(' ')));
    // A message of git names what it likes.
    const isMessage = name === 'git' && /^(?:commit|log|show|diff|tag)$/.test(plain[0] ?? '');
    add(plain.slice(0, isMessage ? 1 : WITH_VERB).map((word) => `${name} ${word}`));
    if (plain.length > 1 && !isMessage) keys.add([name, ...plain.slice(0, 2)].join(' '));
    for (const option of isMessage ? part.replace(QUOTED, ' ').split(/\s+/) : words) {
      if (/^--[a-z]/.test(option)) keys.add(option.replace(/=.*/, ''));
      const letter = LETTERS[[name, ...(name === 'git' ? plain.slice(0, 1) : []), option].join(' ')];
      if (letter !== undefined) keys.add(letter);
      if (/^-[A-Za-z]$/.test(option)) keys.add(`${name} ${plain[0]} ${option}`);
    }
  }
  return { keys, programs };
}
/** Words among which the program's verb is: values of options may precede it. */
const WITH_VERB = 3;

function isInstall([program = '', ...words]: string[]): boolean {
  const verb = words.find((word) => !word.startsWith('-') && word !== 'pip');
  return verb !== undefined && (INSTALLS[program]?.test(verb) ?? false);
}

/** A package with its program: `prisma`, `@scope/name`. */
const runs = (written: string): Key[] => {
  const name = withoutVersion(written).toLowerCase();
  return name === '' ? [] : [name, `pkg:${name}`, ...keysOf(name)];
};

/** A package, by the last part of its path too: `gorm.io/gorm`. */
export function packageIn(written: string): Key[] {
  const name = written.toLowerCase();
  return [...new Set([name, name.replace(/^.*\.[a-z]+\/(?:.*\/)?/, '')])].map((each) => `pkg:${each}`);
}

/** `react@18`, `requests==2.0`, `redis:7`: only the name. */
const withoutVersion = (word: string) =>
  word.replace(/(?<=.)(?:@[\^~\d*]|@v\d|@latest|[=<>~!]=|:(?=[\d]))\S*$/, '');
