/** A file of the page. */
export interface PageFile {
  type: string;
  text: string;
  /** Whether its name changes with its content, so that a browser may keep it. */
  isHashed: boolean;
}

/** All files of the page by path, including `/`, so that no request reads from disk (H-3). */
export type Page = ReadonlyMap<string, PageFile>;

/**
 * The page may run its own script and style, and call its own server. No text that it shows can become a script (H-3).
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

/** The start of a page to which people log in at an identity provider. */
export const withLogin = (file: PageFile): PageFile => ({
  ...file,
  text: file.text.replace('<body', '<body data-login'),
});

/** The response with a file of the page. It contains nothing of any memory, so it needs no token. */
export function pageResponse({ type, text, isHashed }: PageFile): Response {
  return new Response(text, {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': POLICY,
      'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
  });
}
