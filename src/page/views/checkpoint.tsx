import { useRead, useSession } from '../data/session.ts';
import { Markdown } from '../parts/markdown.tsx';
import { Facts } from '../parts/rows.tsx';
import { Await, Heading, Part } from '../parts/states.tsx';
import { useSpeech } from '../words/words.ts';

/** A checkpoint: the summary, the next steps, and the open files. */
export function CheckpointView() {
  const { t, time, by } = useSpeech();
  const { route } = useSession();
  const shown = useRead('show', { ref: route.id });
  return (
    <Await of={shown}>
      {({ checkpoint }) =>
        checkpoint && (
          <article>
            <Heading>{t.checkpoint}</Heading>
            <Facts of={[time(checkpoint.created_at), by(checkpoint)]} />
            {checkpoint.mistaken && <span class="badge failed">{t.undoneVersion}</span>}
            <Markdown text={checkpoint.summary} />
            {checkpoint.next_steps !== null && (
              <Part id="next" title={t.nextSteps}>
                <Markdown text={checkpoint.next_steps} />
              </Part>
            )}
            {checkpoint.open_files.length > 0 && (
              <Part id="files" title={t.openFiles}>
                <ul>
                  {checkpoint.open_files.map((file) => (
                    <li key={file}>
                      <code>{file}</code>
                    </li>
                  ))}
                </ul>
              </Part>
            )}
          </article>
        )
      }
    </Await>
  );
}
