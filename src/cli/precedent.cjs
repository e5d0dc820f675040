#!/usr/bin/env node
// CommonJS and no newer syntax than Node 10 reads, so that an old Node can at least say that it is too old.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`precedent needs Node 22.18 or newer, found ${process.versions.node}.\n`);
  process.exit(1);
}

// Node 22 calls its SQLite experimental on stderr at every start, and the PostgreSQL driver its reading of ~/.pgpass
// deprecated; users can do nothing about either.
const emitWarning = process.emitWarning;
process.emitWarning = (warning, ...details) => {
  if (!/SQLite is an experimental feature|pgpass support is deprecated/.test(String(warning)))
    emitWarning(warning, ...details);
};

require('node:module').enableCompileCache();
import('./main.js')
  .then((cli) => cli.main(process.argv))
  .then((exitCode) => {
    if (exitCode !== undefined) process.exitCode = exitCode;
  });
