import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The texts of the licences of the packages in which these sources lie. @throws Error for one that has none */
export function licences(inputs: string[]): string {
  const packages = new Set(
    inputs.flatMap((input) => input.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []),
  );
  return [...packages].sort().map(licence).join('\n\n');
}

function licence(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const text = licenceFile(folder) ?? licenceInReadme(folder);
  if (text === undefined)
    throw new Error(`${name} is bundled, and no text of its licence was found in ${folder}`);
  return `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${text.trim()}`;
}

function licenceFile(folder: string): string | undefined {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return file && readFileSync(join(folder, file), 'utf8');
}

/** Some packages have their licence as the last section of the README. */
function licenceInReadme(folder: string): string | undefined {
  const file = readdirSync(folder).find((entry) => /^readme/i.test(entry));
  return (
    file &&
    readFileSync(join(folder, file), 'utf8').match(/^#+ *licen[cs]e\b.*?\n([\s\S]*copyright[\s\S]*)/im)?.[1]
  );
}
