import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const FOLDER = 'dist/page';

/**
 * Makes dist/page/, the page of `precedent serve`: one script, one style sheet, one document that names them by the hash of
 * their content.
 * @returns the sources that went into the script
 */
export async function buildPage(): Promise<string[]> {
  mkdirSync(FOLDER, { recursive: true });
  const bundle = await rolldown({
    input: { page: 'src/page/main.tsx' },
    platform: 'browser',
    // How JSX is read stands in the page's tsconfig.json.
    transform: { target: 'es2023' },
    // A problem of the bundle is an error, as in build.ts.
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await bundle.write({
    dir: FOLDER,
    format: 'esm',
    entryFileNames: 'page-[hash].js',
    hashCharacters: 'hex',
    codeSplitting: false,
    minify: true,
    comments: false,
  });
  const style = shortened(readFileSync('src/page/page.css', 'utf8'));
  const styleName = `page-${createHash('sha256').update(style).digest('hex').slice(0, 8)}.css`;
  writeFileSync(join(FOLDER, styleName), style);
  const document = readFileSync('src/page/page.html', 'utf8');
  writeFileSync(
    join(FOLDER, 'index.html'),
    document.replace('page.css', styleName).replace('page.js', output[0].fileName),
  );
  return output[0].moduleIds;
}

/** A style sheet without what no browser reads. */
function shortened(style: string): string {
  return style
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replaceAll(';}', '}')
    .trim();
}
