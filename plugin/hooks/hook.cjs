// Answers an event with the copy of Precedent that "precedent setup" made on this machine. Without one it says nothing:
// a program that is fetched would keep every prompt waiting. The exit code is 0 whatever happens.
const { existsSync } = require('node:fs');
const { homedir } = require('node:os');
const { isAbsolute, join, sep } = require('node:path');

const { LOCALAPPDATA, XDG_DATA_HOME } = process.env;
const home = homedir();
const places = {
  darwin: join(home, 'Library', 'Application Support', 'precedent'),
  win32: join(LOCALAPPDATA || join(home, 'AppData', 'Local'), 'precedent', 'Data'),
};
const named = isAbsolute(XDG_DATA_HOME || '') ? XDG_DATA_HOME : join(home, '.local', 'share');
const data = places[process.platform] || join(named, 'precedent');
const program = join(data, 'app', 'current', 'precedent.cjs');

if (existsSync(program)) {
  const agent = __dirname.split(sep).includes('.codex') ? 'codex' : 'claude';
  process.argv.splice(2, process.argv.length, 'hook', agent);
  try {
    require(program);
  } catch {
    process.exitCode = 0;
  }
}
