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

// Compiling a command takes longer than running it.
const folder = cacheFolder();
if (folder) require('node:module').enableCompileCache(folder);
if (isHook) {
  new Promise((done) => done(require('./hook.cjs').main(process.argv))).catch(() => process.exit(0));
} else {
  const { main } = require('./main.cjs');
  main(process.argv).then((exitCode) => {
    if (exitCode !== undefined) process.exitCode = exitCode;
  });
}

// A folder that other users of the machine can neither write nor reach: their code would run as this user. Node makes folders in
// it by the umask. Without such a folder, nothing is cached.
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
    return isAbsolute(caches) && own(caches, 0o002) && own(folder, 0o077) ? folder : undefined;
  } catch {
    return undefined;
  }
}
