import { fault } from './fault.ts';
import { createPrivately } from './file.ts';

/**
 * Holds a file for this process, making it and its folder where there are none. The operating system lets go of what a
 * process held that died, however it died, and says so to every other, in whatever container it runs.
 * @returns lets go; undefined while another process holds it
 */
export async function hold(file: string): Promise<(() => void) | undefined> {
  const { DatabaseSync } = await import('node:sqlite');
  createPrivately(file);
  const lock = new DatabaseSync(file);
  try {
    lock.exec('begin exclusive');
    return () => lock.close();
  } catch (error) {
    lock.close();
    if (fault(error).kind === 'busy') return undefined;
    throw error;
  }
}
