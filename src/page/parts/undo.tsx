import { useState } from 'preact/hooks';
import type { Result } from '../data/operations.ts';
import { useSession } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { Dialog } from './dialog.tsx';

/**
 * Takes back what was saved last, after it was shown what that is: somebody may have saved something else with the same
 * name since (U-6).
 */
export function Undo({ done }: { done: () => void }) {
  const { t } = useSpeech();
  const { client, workspace, fail } = useSession();
  const [asked, setAsked] = useState<Result<'undo'>>();
  const [problem, setProblem] = useState<string>();
  const run = (dryRun: boolean) =>
    client.call(workspace, 'undo', { dryRun }).then(
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
        <Dialog title={t.undo} close={() => setAsked(undefined)}>
          <ul>
            {asked.effects.map(({ id, kind, name, text, becomes }) => (
              <li key={kind + id}>
                {name} {text === name ? '' : text} → {becomes}
              </li>
            ))}
          </ul>
          <p class="buttons">
            <button type="button" class="main" onClick={() => void run(false)}>
              {t.yes}
            </button>
            <button type="button" onClick={() => setAsked(undefined)}>
              {t.cancel}
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
}
