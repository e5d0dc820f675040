/** What says whether a person sits before a screen, and wants a browser on it. */
export interface Surroundings {
  /** Whether they want none. */
  isSilent: boolean;
  environment: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Whether standard output is a terminal. */
  isTerminal: boolean;
}

/** Whether a browser that is opened here is wanted and seen: not by a pipe, a machine that tests, or from another host. */
export function wantsBrowser({ isSilent, environment, platform, isTerminal }: Surroundings): boolean {
  const { CI, SSH_CONNECTION, SSH_TTY, DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME } = environment;
  if (isSilent || !isTerminal || CI || SSH_CONNECTION || SSH_TTY) return false;
  const hasScreen = Boolean(DISPLAY || WAYLAND_DISPLAY || WSL_DISTRO_NAME);
  return platform === 'darwin' || platform === 'win32' || hasScreen;
}

/**
 * Opens the person's browser. Where that fails, the link is on the screen. Other users of this machine may see the link
 * in its list of processes: it opens nothing but what is in the package.
 */
export function openBrowser(link: string): void {
  import('open').then(({ default: open }) => open(link)).catch(() => {});
}
