import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Input, Operations, Result } from '../data/operations.ts';
import { useSession } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { Dialog } from './dialog.tsx';

/** Calls an operation that writes. */
export type Write = <Name extends keyof Operations>(name: Name, input: Input<Name>) => Promise<void>;

/** Whether a view offers to write: the token may, the server was started with --write, and the view is not of the past. */
export function useMayWrite(): boolean {
  const { me, route } = useSession();
  return me.pageWrites && !route.query.has('at');
}

/**
 * Writes for a dialog, which stays open with the problem if the server refuses: no text that was typed is lost.
 * @param done called after a write and after its undo, before the views read again
 * @returns also what was done, with the way back
 */
export function useWriting(done: () => void): {
  write: Write;
  problem: string | undefined;
  /** Forgets the problem, as the dialog closes. */
  clear(): void;
  hasWritten: boolean;
  status: ComponentChildren;
} {
  const { t } = useSpeech();
  const { client, workspace, refresh, fail } = useSession();
  const [said, setSaid] = useState<{ text: string; canUndo: boolean; warnings: string[] }>();
  const [problem, setProblem] = useState<string>();
  const wrote = (text: string, canUndo: boolean, warnings: string[] = []) => {
    setProblem(undefined);
    setSaid({ text, canUndo, warnings });
    done();
    refresh();
  };
  return {
    write: async (name, input) => {
      try {
        const result = await client.call(workspace, name, input);
        wrote(t.done, true, (result as { warnings?: string[] }).warnings);
      } catch (error) {
        fail(error);
        setProblem(problemOf(error));
      }
    },
    problem: problem && `${t.failed}: ${problem}`,
    clear: () => setProblem(undefined),
    hasWritten: said !== undefined,
    status: (
      <div role="status">
        <p class="buttons">
          {said?.text} {said?.canUndo && <Undo done={() => wrote(t.undone, false)} />}
        </p>
        {said?.warnings.map((each) => (
          <p key={each}>{each}</p>
        ))}
      </div>
    ),
  };
}

export const problemOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Undoes the last save, after showing what that is: somebody may have saved something else under the same name in the
 * meantime (U-6).
 */
function Undo({ done }: { done: () => void }) {
  const { t } = useSpeech();
  const { client, workspace, fail } = useSession();
  const [asked, setAsked] = useState<Result<'undo'>>();
  const [problem, setProblem] = useState<string>();
  const run = (dryRun: boolean) =>
    client.call(workspace, 'undo', { dry_run: dryRun }).then(
      (result) => {
        setAsked(dryRun ? result : undefined);
        if (!dryRun) done();
      },
      (error: Error) => {
        fail(error);
        setAsked(undefined);
        setProblem(error.message);
      },
    );
  return (
    <>
      <button type="button" class="small" onClick={() => void run(true)}>
        {t.undo}
      </button>
      {problem && <span role="alert">{problem}</span>}
      {asked && (
        <Dialog title={t.undoLast} close={() => setAsked(undefined)} send={() => run(false)} does={t.undo}>
          <ul>
            {asked.effects.map(({ id, kind, name, text, becomes, strength }) => (
              <li key={kind + id}>
                {strength && `${t.strengths[strength]} `}
                {name} {text === name ? '' : text} → {becomes}
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}
