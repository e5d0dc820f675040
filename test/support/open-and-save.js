import { openMemory } from '../../dist/index.js';

// Opens the memory named on the command line, saves decisions and prints their ids: one of many processes at once.
// Plain JavaScript over the built library, since up to thirty of them have to start at the same time.
const [file, name, count] = process.argv.slice(2);
const memory = await openMemory({ db: file });
const ids = [];
for (let n = 0; n < Number(count); n++) {
  ids.push((await memory.mama.save({ topic: 'shared', decision: `${name} ${n}` })).id);
}
await memory.close();
process.stdout.write(JSON.stringify(ids));
