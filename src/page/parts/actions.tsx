import { useState } from 'preact/hooks';
import { Refused } from '../data/client.ts';
import type { Input, Operations, Outcome, Result, Shown, Version } from '../data/operations.ts';
import { hrefOf, sharedParams } from '../data/route.ts';
import { useSession } from '../data/session.ts';
import { navigate } from '../shell/navigate.ts';
import { useSpeech } from '../words/words.ts';
import { Dialog } from './dialog.tsx';

type Action = 'outcome' | 'withdraw' | 'evidence';
type Write = <Name extends keyof Operations>(name: Name, input: Input<Name>) => Promise<void>;

/** The maximum length of each text, as in the operations. */
const LONGEST: Record<Action, number> = { outcome: 2_000, withdraw: 4_000, evidence: 200_000 };

/**
 * The actions on a decision. Each asks before it writes, and can be undone. Shown only if the token may write, the
 * server was started with --write, and the view is not of the past.
 */
export function Actions({ decision, version }: { decision: Shown; version: Version }) {
  const { t } = useSpeech();
  const { me, route, client, workspace, refresh, fail } = useSession();
  const [act, setAct] = useState<Action>();
  const [said, setSaid] = useState<{ text: string; canUndo: boolean }>();
  const isOffered = me.pageWrites && !route.query.has('at') && version.status === 'active';
  if (!isOffered && !said) return null;
  /** Afterwards another version may be active, with another id than the one in the address. */
  const wrote = (text: string, canUndo: boolean) => {
    setSaid({ text, canUndo });
    setAct(undefined);
    if (decision.decision.topic !== null)
      navigate(hrefOf('d', decision.decision.topic, sharedParams(route.query)), true);
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
  const acts: [Action, string][] = [
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
        <ActionDialog
          act={act}
          id={version.id}
          topic={decision.decision.topic ?? t.noTopic}
          write={write}
          close={() => setAct(undefined)}
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
  close: () => void;
}

/** Asks for the text, and for confirmation. */
function ActionDialog({ act, id, topic, write, close }: ActionDialogProps) {
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
    <Dialog title={title} close={close} send={send} does={outcome ? t.recordIt(t[outcome]) : title}>
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
