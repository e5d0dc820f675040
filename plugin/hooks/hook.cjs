// biome-ignore-all lint/style/useNodejsImportProtocol: an old Node, which does not know "node:", is to say that it is too old.
// Answers an event with the copy of Precedent that "precedent setup" made on this machine: a program that is fetched would
// keep every prompt waiting. Where that does not start, it says so at the start of a session, and nothing else. The exit code
// is 0 whatever happens.
const { existsSync } = require('fs');
const { homedir } = require('os');
const { isAbsolute, join, sep } = require('path');

const { LOCALAPPDATA, XDG_DATA_HOME } = process.env;
const home = homedir();
const places = {
  darwin: join(home, 'Library', 'Application Support', 'precedent'),
  win32: join(LOCALAPPDATA || join(home, 'AppData', 'Local'), 'precedent', 'Data'),
};
const named = isAbsolute(XDG_DATA_HOME || '') ? XDG_DATA_HOME : join(home, '.local', 'share');
const data = places[process.platform] || join(named, 'precedent');
const program = join(data, 'app', 'current', 'precedent.cjs');
const [major, minor] = process.versions.node.split('.').map(Number);
const isOld = major < 22 || (major === 22 && minor < 18);
const isStart = process.argv[2] === 'start';

if (isOld)
  say(`Expected Node 22.18 or newer, found ${process.versions.node} as "node". Install a newer one.`);
else if (!existsSync(program)) say('Precedent is not set up on this machine. Run "precedent setup".');
else {
  const agent = __dirname.split(sep).includes('.codex') ? 'codex' : 'claude';
  process.argv.splice(2, process.argv.length, 'hook', agent);
  try {
    require(program);
  } catch (error) {
    say(`The program could not be loaded (${error.code || error.name}). Run "precedent setup" anew.`);
    process.exitCode = 0;
  }
}

function say(why) {
  if (!isStart) return;
  const context = `The hooks of Precedent, the memory of why, do not run: nothing is shown unasked in this session. Call recall before you start and before you decide, if it is there; do not conclude that nothing was decided.`;
  const output = {
    systemMessage: `The hooks of Precedent do not run. ${why} Then start this agent anew.`,
    hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: context },
  };
  process.stdout.write(`${JSON.stringify(output)}\n`);
}
