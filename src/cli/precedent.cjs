#!/usr/bin/env node
// CommonJS and no newer syntax than Node 10 reads, so that an old Node can at least say that it is too old.
// A hook ends well whatever happens: an agent may refuse its user's prompt after another exit code.
const isHook =
  process.argv.find(
    (word, at) => at >= 2 && !word.startsWith('-') && !/^--(db|url|workspace)$/.test(process.argv[at - 1]),
  ) === 'hook';
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  // A clone has the Node of the project.
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  // biome-ignore lint/style/useNodejsImportProtocol: Node 14.18 is the first that requires "node:".
  const pinned = require('path').join(__dirname, '../node_modules/node/bin', name);
  // biome-ignore lint/style/useNodejsImportProtocol: as above.
  const remedy = require('fs').existsSync(pinned) ? `, or run "${pinned}" "${__filename}"` : '';
  process.stderr.write(
    `precedent needs Node 22.18 or newer, found ${process.versions.node}. Install a newer one${remedy}\n`,
  );
  process.exit(isHook ? 0 : 1);
}

// Node 22 calls its SQLite experimental on stderr at every start, and the PostgreSQL driver its reading of ~/.pgpass
// deprecated; users can do nothing about either.
const emitWarning = process.emitWarning;
process.emitWarning = (warning, ...details) => {
  if (!/SQLite is an experimental feature|pgpass support is deprecated/.test(String(warning)))
    emitWarning(warning, ...details);
};

const folder = cacheFolder();
if (folder) cacheCompiled(folder);
// The build gives the names of the bundles, which have a hash.
const [HOOK, MAIN] = ['./hook.cjs', './main.cjs'];
if (isHook) {
  new Promise((done) => done(require(HOOK).main(process.argv))).catch(() => process.exit(0));
} else {
  const { main } = require(MAIN);
  main(process.argv).then((exitCode) => {
    if (exitCode !== undefined) process.exitCode = exitCode;
  });
}

// Compiling what a command needs takes longer than running it. `module.enableCompileCache()` stores code before it has run,
// without the functions that Node compiles at their first call: they would be compiled in every run (ADR 0070).
function cacheCompiled(folder) {
  const { readFileSync } = require('node:fs');
  const { wrap } = require('node:module');
  const { basename, dirname, join } = require('node:path');
  const { Script } = require('node:vm');
  const { crc32 } = require('node:zlib');
  const loaded = [];
  let isNew = false;
  require.extensions['.cjs'] = (module, filename) => {
    if (dirname(filename) !== __dirname) return require.extensions['.js'](module, filename);
    // The name of a chunk has the hash of what it holds.
    const cache = join(folder, `${basename(filename)}-${process.version}-${process.arch}`);
    const source = wrap(readFileSync(filename, 'latin1'));
    const script = new Script(source, { filename, cachedData: read(cache) });
    if (script.cachedDataRejected !== false) isNew = true;
    loaded.push({ script, cache });
    const requireHere = (id) => module.require(id);
    script.runInThisContext()(module.exports, requireHere, module, filename, __dirname);
  };

  // V8 does not notice code that was damaged on the disk, and would run it.
  function read(cache) {
    try {
      const bytes = readFileSync(cache);
      const code = bytes.subarray(0, -4);
      return crc32(code) === bytes.readUInt32LE(code.length) ? code : undefined;
    } catch {
      return undefined;
    }
  }

  // A chunk without a cache says that a command is new here. Its functions are added to what others have stored.
  function store() {
    const { readdirSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
    const chunks = isNew ? loaded.splice(0) : [];
    try {
      for (const { script, cache } of chunks) {
        const code = script.createCachedData();
        const sum = Buffer.alloc(4);
        sum.writeUInt32LE(crc32(code));
        const partial = `${cache}.${process.pid}`;
        writeFileSync(partial, Buffer.concat([code, sum]), { mode: 0o600 });
        renameSync(partial, cache);
      }
      // What is older than a month is of an older version, or is made anew.
      const monthAgo = Date.now() - 30 * 24 * 60 * 60 * 1000;
      for (const name of chunks.length > 0 ? readdirSync(folder) : [])
        if (/\.cjs-v/.test(name) && statSync(join(folder, name)).mtimeMs < monthAgo)
          rmSync(join(folder, name));
    } catch {
      // Next time.
    }
  }
  process.once('exit', store);
  // A server may be killed, and V8 drops what has not run for a while.
  setTimeout(store, 10000).unref();
}

// A folder that only this user can write. The temporary folder may be one that other users of the machine created first: their
// code would run as this user. Without such a folder, nothing is cached.
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
