import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { commandLine, shellEnvironment } from '../../files/program.ts';
import { here } from '../../files/surroundings.ts';

/** Leaves what fits on the screen as it is, keeps colours, and shows no page of its own. */
const LESS = { LESS: 'FRX' };

/**
 * Shows a text in the pager that PRECEDENT_PAGER or PAGER names, else in `less` (U-9); `cat` and an empty name mean no pager.
 * Where there is no pager, the text is printed.
 */
export async function page(text: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const { PRECEDENT_PAGER, PAGER } = environment;
  const named = (PRECEDENT_PAGER ?? PAGER ?? 'less').trim();
  const command = named === '' || named === 'cat' ? undefined : commandLine(named, environment);
  if (command === undefined) {
    here().stdout.write(text);
    return;
  }
  const pager = spawn(command, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...LESS, ...shellEnvironment(environment) },
  });
  // Whoever has seen enough leaves the pager before it has read everything.
  pager.stdin.on('error', () => {});
  pager.stdin.end(text);
  // Ctrl-C is the pager's while it has the screen.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  const [code] = await once(pager, 'close');
  process.off('SIGINT', ignore);
  // What a shell says when there is no such program.
  if (code === 127) here().stdout.write(text);
}
