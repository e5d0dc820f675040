/** A file of the page, as it is answered. */
export interface PageFile {
  type: string;
  text: string;
  /** Whether its name changes with its content, so that a browser may keep it. */
  isHashed: boolean;
}

/** The page's files by their paths, `/` among them: all there is, so that no request reads a file (H-3). */
export type Page = ReadonlyMap<string, PageFile>;

/**
 * What the page may do: run the script and the style that came with it and ask its own server. No text that it shows can
 * become a script, whatever it holds (H-3).
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** A file of the page as a response; it holds nothing of any memory, and is given to everybody. */
export function pageResponse({ type, text, isHashed }: PageFile): Response {
  return new Response(text, {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': POLICY,
      'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
  });
}
