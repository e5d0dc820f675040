#!/usr/bin/env node
// CommonJS and no newer syntax than Node 10 reads, so that an old Node can at least say that it is too old.
// A hook ends well whatever happens: an agent may refuse its user's prompt after another exit code.
const isHook =
  process.argv.find(
    (word, at) => at >= 2 && !word.startsWith('-') && !/^--(db|url|workspace)$/.test(process.argv[at - 1]),
  ) === 'hook';
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`precedent needs Node 22.18 or newer, found ${process.versions.node}.\n`);
  process.exit(isHook ? 0 : 1);
}

// Node 22 calls its SQLite experimental on stderr at every start, the PostgreSQL driver its reading of ~/.pgpass
// deprecated, and Node how a hook reads its pipe, when asked for what is to come; users can do nothing about any of them.
const emitWarning = process.emitWarning;
process.emitWarning = (warning, ...details) => {
  if (
    !/SQLite is an experimental feature|pgpass support is deprecated|process\.binding\(\) is deprecated/.test(
      String(warning),
    )
  )
    emitWarning(warning, ...details);
};

const folder = cacheFolder();
// For whoever takes away what older versions kept there (src/agents/app/compiled.ts).
globalThis[Symbol.for('precedent.cache')] = folder;
const bundles = new Map();
// What a command has loaded, and whether it is kept when it ends.
const running = [];
let isKeeping = false;
const DAY = 24 * 60 * 60 * 1000;
// Where files are read to: as much as the largest may take. Only what is written to is taken of the system.
const ROOM = 4 * 1024 * 1024;
let room;
if (isHook) {
  new Promise((done) => done(load('hook.cjs').main(process.argv))).catch(() => process.exit(0));
} else {
  const { main } = load('main.cjs');
  main(process.argv).then((exitCode) => {
    if (exitCode !== undefined) process.exitCode = exitCode;
  });
}

// A hook runs with every prompt of a user, a command while somebody waits: what they load is compiled once. Node by itself
// keeps only what runs while a file is loaded, and all else would be compiled again each time (ADR 0070).
function load(name) {
  const known = bundles.get(name);
  if (known) return known.exports;
  const { statSync } = require('node:fs');
  const { join } = require('node:path');
  const { Script } = require('node:vm');
  const filename = join(__dirname, name);
  // Bundles are functions in ASCII, and their names have the hash of their content (scripts/build.ts).
  const source = read(filename).latin1Slice();
  const kept = folder && join(folder, `${name}-${process.version}-${process.arch}`);
  let script;
  try {
    script = new Script(source, { filename, cachedData: intact(kept) });
    if (script.cachedDataRejected) throw new Error('of another Node');
    if (!isHook && Date.now() - statSync(kept).mtimeMs > DAY) keepWhatRuns();
  } catch {
    script = (kept && isHook && compileWhole(kept, source, filename)) || new Script(source, { filename });
    if (kept && !isHook) keepWhatRuns();
  }
  if (kept && !isHook) running.push({ kept, script });
  const bundle = { exports: {} };
  bundles.set(name, bundle);
  const requireFrom = (path) => (path.endsWith('.cjs') ? load(path.replace('./', '')) : require(path));
  script.runInThisContext()(bundle.exports, requireFrom, bundle, filename, __dirname);
  return bundle.exports;
}

// One of two copies. Node looks at the length of kept code alone, and would run what a broken disk made of it; a checksum
// takes longer than a second copy, and so does loading what makes one.
function intact(file) {
  const bytes = read(file);
  const half = bytes.length >> 1;
  const code = bytes.subarray(0, half);
  if (half === 0 || !code.equals(bytes.subarray(half))) throw new Error('damaged');
  return code;
}

// What a file holds, until the next one is read: each page of memory that is new to a process takes it a microsecond, and a
// command reads six megabytes.
function read(file) {
  const { closeSync, fstatSync, openSync, readSync } = require('node:fs');
  const open = openSync(file);
  try {
    const { size } = fstatSync(open);
    if (room === undefined || room.length < size) room = Buffer.allocUnsafeSlow(Math.max(size, ROOM));
    let length = 0;
    for (let more = 1; more > 0 && length < size; length += more)
      more = readSync(open, room, length, size - length);
    return room.subarray(0, length);
  } finally {
    closeSync(open);
  }
}

// What a command loads is kept as far as it ran, with what ran before it: more than half of it runs in no command, and would be
// read each time (ADR 0070). A file that is not kept yet, such as that of its operation, says that the command is new here;
// once a day, since a first run may not have seen much, it is kept anew.
function keepWhatRuns() {
  if (isKeeping) return;
  isKeeping = true;
  process.once('exit', keepRunning);
  // V8 lets go of what a server has not used for a while.
  setTimeout(keepRunning, 10000).unref();
}

function keepRunning() {
  const all = running.splice(0);
  for (const { kept, script } of all) write(kept, () => script.createCachedData());
  if (all.length > 0) sweep();
}

// Every version, and every Node, has files of its own. What setup has put into its place takes those of older versions away;
// where nobody ran setup, what is older than a month goes: whoever still uses some compiles it once more.
function sweep() {
  const { readdirSync, statSync, unlinkSync } = require('node:fs');
  const { join } = require('node:path');
  try {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      const { mtimeMs } = statSync(file);
      if (/\.cjs-v/.test(name) && Date.now() - mtimeMs > 30 * DAY) unlinkSync(file);
    }
  } catch {
    // Another one takes it away at this moment: next time.
  }
}

// Compiles every function, and keeps the result: of a hook, since its first event says little of the next one. Undefined
// where nothing can be kept. Without V8's own cache: kept code that it refused has left the same source there, of which it
// compiled next to nothing.
function compileWhole(kept, source, filename) {
  const { setFlagsFromString } = require('node:v8');
  let script;
  write(kept, () => {
    setFlagsFromString('--no-lazy --no-compilation-cache');
    script = new (require('node:vm').Script)(source, { filename });
    setFlagsFromString('--lazy --compilation-cache');
    return script.createCachedData();
  });
  return script;
}

// Keeps compiled code for the next time, where a file can be written.
function write(kept, compiled) {
  const { renameSync, rmSync, writeFileSync } = require('node:fs');
  const partial = `${kept}.${process.pid}`;
  try {
    writeFileSync(partial, '', { mode: 0o600 });
    const code = compiled();
    writeFileSync(partial, Buffer.concat([code, code]));
    renameSync(partial, kept);
  } catch {
    try {
      rmSync(partial, { force: true });
    } catch {
      // There is no such folder, either.
    }
  }
}

// Compiled code is kept in a folder that is this user's alone. Node's own choice lies in the temporary folder, which other
// users of the machine may have made first: what they put there would run as this user. Without such a folder, nothing is
// kept.
function cacheFolder() {
  const { existsSync, mkdirSync, statSync } = require('node:fs');
  const { homedir } = require('node:os');
  const { isAbsolute, join } = require('node:path');
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  const own = (path, foreign) => {
    // One level at a time: on a file system that refuses, Node's recursive mkdir never returns.
    if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
    const { uid, mode } = statSync(path);
    return !process.getuid || (uid === process.getuid() && (mode & foreign) === 0);
  };
  try {
    const home = homedir();
    const places = { darwin: join(home, 'Library', 'Caches'), win32: LOCALAPPDATA };
    const named = isAbsolute(XDG_CACHE_HOME || '') ? XDG_CACHE_HOME : join(home, '.cache');
    const caches = places[process.platform] || named;
    const folder = join(caches, 'precedent');
    return isAbsolute(caches) && own(caches, 0o002) && own(folder, 0o022) ? folder : undefined;
  } catch {
    return undefined;
  }
}
