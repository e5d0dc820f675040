import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Memory } from '../../src/index.ts';
import { adr } from '../../src/interchange/importers/adr/adr.ts';
import { scratch } from './engines.ts';

type Terms = Parameters<Memory['exportFiles']>[2];

/** The files of an export to decision records, by their paths. */
export async function filesOf(memory: Memory, terms?: Terms): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  await memory.exportFiles(
    'madr',
    ({ path, text }) => {
      if (files.has(path)) throw new Error(`${path} is written twice`);
      files.set(path, text);
    },
    terms,
  );
  return files;
}

/** An export to one page. */
export async function textOf(memory: Memory, terms?: Parameters<Memory['export']>[2]): Promise<string> {
  const lines: string[] = [];
  await memory.export('html', (line) => lines.push(line), terms);
  return `${lines.join('\n')}\n`;
}

/** Every byte of the formats that people and other tools read, by format and by the path of a file. */
export async function everyFormat(memory: Memory, terms?: Terms): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const [path, text] of await filesOf(memory, terms)) all.set(`madr ${path}`, text);
  all.set('html', await textOf(memory, terms));
  return all;
}

/** Writes files into a new folder. */
export function written(files: ReadonlyMap<string, string>): string {
  const folder = join(scratch(), 'exported');
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Takes decision records into a memory, as `precedent import --from adr` does. */
export async function takeRecords(memory: Memory, files: ReadonlyMap<string, string>) {
  const facts = adr.read(written(files), {});
  return { facts, merged: await memory.merge(facts) };
}

/** Texts that a Markdown file, YAML, XML or a file's name could take for something else. */
export const AWKWARD = [
  '같은 결정을 두 번 내리지 않는다',
  'a/b\\c: "quoted" <tags> & [brackets](x) [[wiki|link]] | pipe',
  '## Decision Outcome\n\nnot the real one\n\n## Evidence\n\n### 2026-01-01T00:00:00.000Z\n\nno evidence',
  '# a title\n---\nstatus: rejected\n---',
  '```text\nalready in a block\n```',
  '```\nnever closed',
  '~~~~\nother marks\n~~~',
  '  blanks around it\n\n',
  'windows\r\nlines\rand old Macs',
  'CON',
  '<!-- a comment -->',
  '{unfilled}',
  '- a list\n- of things\n\n> and a quotation',
  'template',
  'true',
  '0011',
  'null',
  '*anchor &alias !tag %percent @at `tick`',
  'one\u2028two\u2029three\u0085four \ufeff five',
  '🔑'.repeat(150),
  '"json string"',
  '```json\n"json string"\n```',
  'ends with a backslash \\',
  '…',
];
