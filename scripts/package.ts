import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { REGISTRY_NAME, REPOSITORY } from './manifests.ts';

/**
 * Makes package/, which is what `npm publish package` publishes: what is used, and a package.json without what builds it
 * (U-10). `npm run build` comes before.
 */
const FOLDER = 'package';
const BUILDS = ['scripts', 'devDependencies', 'overrides', 'allowScripts', 'private'];

const manifest: Record<string, unknown> = JSON.parse(readFileSync('package.json', 'utf8'));
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
for (const file of ['README.md', 'LICENSE', ...(manifest.files as string[])])
  cpSync(file, join(FOLDER, file), { recursive: true });
const kept = Object.entries(manifest).filter(([field]) => !BUILDS.includes(field));
// The MCP registry asks the package which server it is.
const published = { ...Object.fromEntries(kept), mcpName: REGISTRY_NAME };
writeFileSync(join(FOLDER, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);

/** A link to what the package does not hold leads to the repository. */
function linkedFrom(page: string, text: string): string {
  return text.replace(/\]\((?!\w+:|#)([^)#]+)([^)]*)\)/g, (link, to: string, at: string) => {
    if (existsSync(join(FOLDER, dirname(page), to))) return link;
    const path = posix.join(posix.dirname(page.replaceAll('\\', '/')), to);
    return `](${REPOSITORY}/${path.endsWith('.png') ? 'raw' : 'blob'}/HEAD/${path}${at})`;
  });
}
for (const page of globSync('**/*.md', { cwd: FOLDER })) {
  const file = join(FOLDER, page);
  writeFileSync(file, linkedFrom(page, readFileSync(file, 'utf8')));
}
