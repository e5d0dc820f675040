import pkg from '../../package.json' with { type: 'json' };

/**
 * Whether the package can be had from npm: from the moment on when package.json no longer calls it private. Until then its name
 * there is free, and a stranger who took it would have their program run wherever the name is written (Z-8).
 */
export const IS_PUBLISHED: boolean = !(pkg as { private?: boolean }).private;

/** The command that starts the program on any machine: a shared file names no path of one. */
export const ANYWHERE = IS_PUBLISHED
  ? { node: 'npx', options: ['-y'], program: pkg.name }
  : { node: 'precedent', program: '' };

/** The command by which agents start a newer version. */
export const SETUP_OF_NEWEST = IS_PUBLISHED
  ? `"npx ${pkg.name}@latest setup"`
  : '"precedent setup" with the newest version';
