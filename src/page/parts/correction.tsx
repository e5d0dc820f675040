import { useState } from 'preact/hooks';
import type { Input, Result } from '../data/operations.ts';
import { useRead } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { Dialog } from './dialog.tsx';
import { Await } from './states.tsx';
import { useMayWrite, useWriting, type Write } from './writing.tsx';

interface CorrectionProps {
  /** A record that `show` finds. */
  of: string;
  /** Whether a decision is first taken to say the same in other words (TR-3). */
  tidies?: boolean;
  write: Write;
  problem: string | undefined;
  close: () => void;
}

/** The texts of a decision, a note or a memo as they are, to be corrected. The earlier texts are kept. */
export function Correction({ of, ...rest }: CorrectionProps) {
  const shown = useRead('show', { ref: of });
  return <Await of={shown}>{(record) => <Form record={record} {...rest} />}</Await>;
}

/** A button that opens {@link Correction}, and what came of it. */
export function Correcting({ of }: { of: string }) {
  const { t } = useSpeech();
  const [isOpen, setOpen] = useState(false);
  const { write, problem, clear, status } = useWriting(() => close());
  const close = () => {
    setOpen(false);
    clear();
  };
  if (!useMayWrite()) return null;
  return (
    <div class="acts">
      <p class="buttons">
        <button type="button" onClick={() => setOpen(true)}>
          {t.correct}
        </button>
      </p>
      {status}
      {isOpen && <Correction of={of} write={write} problem={problem} close={close} />}
    </div>
  );
}

function Form({
  record,
  tidies = false,
  write,
  problem,
  close,
}: Omit<CorrectionProps, 'of'> & { record: Result<'show'> }) {
  const { t } = useSpeech();
  const [given] = useState(() => textsOf(record));
  const [changed, setChanged] = useState<Record<string, string>>({});
  const [isTidy, setTidy] = useState(tidies);
  if (!given) return null;
  const { title, texts, save } = given;
  const labels: Record<string, string> = t.texts;
  return (
    <Dialog
      title={title}
      close={close}
      send={() => (Object.keys(changed).length === 0 ? close() : save(write, changed, isTidy))}
      does={t.save}
      problem={problem}
    >
      {texts.map(({ field, text, most }) => (
        <label key={field}>
          {labels[field]}
          <textarea
            required={text !== ''}
            maxLength={most}
            value={changed[field] ?? text}
            onInput={({ currentTarget }) => setChanged({ ...changed, [field]: currentTarget.value })}
          />
        </label>
      ))}
      {record.decision && (
        <label class="choice">
          <input
            type="checkbox"
            checked={isTidy}
            onChange={({ currentTarget }) => setTidy(currentTarget.checked)}
          />
          {t.saysTheSame}
        </label>
      )}
    </Dialog>
  );
}

interface Texts {
  title: string;
  /** `most`: characters at most, as in the operations. */
  texts: { field: keyof ReturnType<typeof useSpeech>['t']['texts']; text: string; most: number }[];
  save(write: Write, changed: Record<string, string>, isTidy: boolean): unknown;
}

function textsOf({ decision, observation, memo }: Result<'show'>): Texts | undefined {
  const version = decision?.versions.find(({ status }) => status === 'active');
  if (version)
    return {
      title: decision?.decision.topic ?? version.text,
      texts: [
        { field: 'text', text: version.text, most: 2_000 },
        { field: 'reasoning', text: version.reasoning ?? '', most: 20_000 },
      ],
      save: (write, changed, isTidy) =>
        write('decision_revise', {
          ...{ id: version.id, replaces: version.id, ...changed },
          ...(isTidy && { tidy: true }),
        }),
    };
  if (observation)
    return {
      title: `#${observation.id}`,
      texts: [
        { field: 'title', text: observation.title, most: 200 },
        { field: 'content', text: observation.content, most: 200_000 },
      ],
      save: (write, changed) =>
        write('mem_update', { id: observation.id, ...changed } as Input<'mem_update'>),
    };
  if (memo?.info_id)
    return {
      title: memo.summary ?? '',
      texts: [
        { field: 'summary', text: memo.summary ?? '', most: 200 },
        { field: 'fullText', text: memo.full_text ?? '', most: 500 },
      ],
      save: (write, changed) => write('memo_edit', { infoId: memo.info_id, ...changed }),
    };
  return undefined;
}
