import { useState } from 'preact/hooks';
import type { Outcome, Shown, Version } from '../data/operations.ts';
import { hrefOf, sharedParams } from '../data/route.ts';
import { useSession } from '../data/session.ts';
import { navigate } from '../shell/navigate.ts';
import { useSpeech } from '../words/words.ts';
import { Correction } from './correction.tsx';
import { Dialog } from './dialog.tsx';
import { useMayWrite, useWriting, type Write } from './writing.tsx';

type Action = 'outcome' | 'withdraw' | 'evidence';

/** The maximum length of each text, as in the operations. */
const LONGEST: Record<Action, number> = { outcome: 2_000, withdraw: 4_000, evidence: 200_000 };

/**
 * The actions on a decision. Each asks before it writes, and can be undone. Shown only if the token may write, the
 * server was started with --write, and the view is not of the past.
 */
export function Actions({ decision, version }: { decision: Shown; version: Version }) {
  const { t } = useSpeech();
  const { route } = useSession();
  const [act, setAct] = useState<Action | 'correct'>();
  const mayWrite = useMayWrite();
  const close = () => {
    setAct(undefined);
    clear();
  };
  const { topic } = decision.decision;
  const { write, problem, clear, hasWritten, status } = useWriting(() => {
    close();
    // Another version may be active now, with another id than the one in the address.
    if (topic !== null) navigate(hrefOf('d', topic, sharedParams(route.query)), true);
  });
  const isOffered = mayWrite && version.status === 'active';
  if (!isOffered && !hasWritten) return null;
  const acts: [Action | 'correct', string][] = [
    ['outcome', t.recordOutcome],
    ['evidence', t.addEvidence],
    ['withdraw', t.withdraw],
    ['correct', t.correct],
  ];
  return (
    <div class="acts">
      {isOffered && (
        <p class="buttons">
          {acts.map(([name, title]) => (
            <button type="button" key={name} onClick={() => setAct(name)}>
              {title}
            </button>
          ))}
        </p>
      )}
      {status}
      {act === 'correct' && (
        <Correction of={version.id} tidies write={write} problem={problem} close={close} />
      )}
      {act && act !== 'correct' && (
        <ActionDialog
          act={act}
          id={version.id}
          topic={topic ?? t.noTopic}
          write={write}
          problem={problem}
          close={close}
        />
      )}
    </div>
  );
}

interface ActionDialogProps {
  act: Action;
  id: string;
  topic: string;
  write: Write;
  problem: string | undefined;
  close: () => void;
}

/** Asks for the text, and for confirmation. */
function ActionDialog({ act, id, topic, write, problem, close }: ActionDialogProps) {
  const { t } = useSpeech();
  const [text, setText] = useState('');
  const [outcome, setOutcome] = useState<Outcome | ''>('');
  const { title, label, sure } = {
    outcome: { title: t.recordOutcome, label: t.reasonOutcome, sure: topic },
    withdraw: { title: t.withdraw, label: t.reasonWithdraw, sure: t.sureWithdraw(topic) },
    evidence: { title: t.addEvidence, label: t.evidenceText, sure: t.sureEvidence(topic) },
  }[act];
  const reason = text.trim();
  const send = () => {
    if (act === 'outcome' && outcome)
      return write('mama_update', { id, outcome, ...(reason !== '' && { reason }) });
    if (act === 'withdraw')
      return write('decision_revise', { id, withdrawn: true, reasoning: reason, replaces: id });
    return write('evidence_save', { decisionRef: id, content: reason });
  };
  return (
    <Dialog
      title={title}
      close={close}
      send={send}
      does={outcome ? t.recordIt(t[outcome]) : title}
      problem={problem}
    >
      <p>{sure}</p>
      {act === 'outcome' && (
        <label>
          {t.fields.outcome}
          <select
            required
            value={outcome}
            onChange={({ currentTarget }) => setOutcome(currentTarget.value as Outcome)}
          >
            {(['', 'success', 'failed', 'partial'] as const).map((each) => (
              <option key={each} value={each}>
                {each && t[each]}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        {label}
        <textarea
          required={act !== 'outcome'}
          maxLength={LONGEST[act]}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
    </Dialog>
  );
}
