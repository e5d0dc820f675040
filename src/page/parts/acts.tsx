import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Refused } from '../data/client.ts';
import type { Input, Operations, Outcome, Shown, Version } from '../data/operations.ts';
import { hrefOf, keptOf } from '../data/route.ts';
import { useSession } from '../data/session.ts';
import { navigate } from '../shell/navigate.ts';
import { useSpeech } from '../words/words.ts';
import { Dialog } from './dialog.tsx';
import { Choice } from './fields.tsx';
import { Undo } from './undo.tsx';

type Act = 'outcome' | 'withdraw' | 'evidence';
type Write = <Name extends keyof Operations>(name: Name, input: Input<Name>) => Promise<void>;

/** Characters of each text, as the operations bound them. */
const LONGEST: Record<Act, number> = { outcome: 2_000, withdraw: 4_000, evidence: 200_000 };

/**
 * What a person does to a decision: each is the operation of everywhere else, asks before it writes, and can be taken
 * back. Shown only where the token may write, the server was started with --write, and the present is looked at.
 */
export function Acts({ decision, version }: { decision: Shown; version: Version }) {
  const { t } = useSpeech();
  const { me, route, client, workspace, refresh, fail } = useSession();
  const [act, setAct] = useState<Act>();
  const [said, setSaid] = useState<{ text: string; canUndo: boolean }>();
  const isOffered = me.pageWrites && !route.query.has('at') && version.status === 'stands';
  if (!isOffered && !said) return null;
  /** What stands afterwards may be another version, with another id than the one in the address. */
  const wrote = (text: string, canUndo: boolean) => {
    setSaid({ text, canUndo });
    setAct(undefined);
    if (decision.topic !== null) navigate(hrefOf('d', decision.topic, keptOf(route.query)), true);
    refresh();
  };
  const write: Write = async (name, input) => {
    try {
      await client.call(workspace, name, input);
      wrote(t.done, true);
    } catch (error) {
      fail(error);
      setAct(undefined);
      setSaid({
        text: `${t.failed}: ${error instanceof Refused ? error.message : String(error)}`,
        canUndo: false,
      });
    }
  };
  const acts: [Act, string][] = [
    ['outcome', t.recordOutcome],
    ['evidence', t.addEvidence],
    ['withdraw', t.withdraw],
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
      <p role="status" class="buttons">
        {said?.text} {said?.canUndo && <Undo done={() => wrote(t.undone, false)} />}
      </p>
      {act && (
        <Asked
          act={act}
          id={version.id}
          topic={decision.topic ?? t.noTopic}
          write={write}
          close={() => setAct(undefined)}
        />
      )}
    </div>
  );
}

interface AskedProps {
  act: Act;
  id: string;
  topic: string;
  write: Write;
  close: () => void;
}

/** Asks what is to be written, and whether it is meant. */
function Asked({ act, id, topic, write, close }: AskedProps) {
  const { t } = useSpeech();
  const [text, setText] = useState('');
  const [outcome, setOutcome] = useState<Outcome>('success');
  const words = {
    outcome: { title: t.recordOutcome, label: t.reasonOutcome, sure: t.sureOutcome(t[outcome], topic) },
    withdraw: { title: t.withdraw, label: t.reasonWithdraw, sure: t.sureWithdraw(topic) },
    evidence: { title: t.addEvidence, label: t.evidenceText, sure: t.sureEvidence(topic) },
  }[act];
  const reason = text.trim();
  const send = () => {
    if (act === 'outcome') return write('mama_update', { id, outcome, ...(reason !== '' && { reason }) });
    if (act === 'withdraw') return write('decision_revise', { id, withdrawn: true, reasoning: reason });
    return write('evidence_save', { decisionRef: id, content: reason });
  };
  return (
    <Dialog title={words.title} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {act === 'outcome' && (
          <Choice
            label={t.outcome}
            value={outcome}
            options={(['success', 'failed', 'partial'] as const).map((each) => [each, t[each]])}
            choose={(value) => setOutcome(value as Outcome)}
          />
        )}
        <label>
          {words.label}
          <textarea
            required={act !== 'outcome'}
            maxLength={LONGEST[act]}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <p>{words.sure}</p>
        <Buttons close={close}>
          <button type="submit" class="main">
            {t.yes}
          </button>
        </Buttons>
      </form>
    </Dialog>
  );
}

function Buttons({ close, children }: { close: () => void; children: ComponentChildren }) {
  const { t } = useSpeech();
  return (
    <p class="buttons">
      {children}
      <button type="button" onClick={close}>
        {t.cancel}
      </button>
    </p>
  );
}
