// Loaded first by each process that the agent starts of Precedent: notes its time of the processor, in milliseconds, in a folder.
// Not only at its end, since agents kill servers.
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

module.exports = (folder) => {
  const kind = ['hook', 'mcp'].find((word) => process.argv.includes(word)) ?? 'other';
  const note = () => {
    const { user, system } = process.cpuUsage();
    writeFileSync(join(folder, `${kind}-${process.pid}`), String((user + system) / 1_000));
  };
  process.on('exit', note);
  setInterval(note, 50).unref();
};
