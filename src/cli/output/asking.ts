/** The options of every command that may destroy something for good (K-5). */
export const ASKING = {
  yes: { about: 'do not ask' },
  dryRun: { about: 'only show what would be changed' },
} as const;

/** How such a command was called. */
export interface Asking {
  yes?: boolean | undefined;
  dryRun?: boolean | undefined;
}
