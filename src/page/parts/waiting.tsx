import { useState } from 'preact/hooks';
import type { Input, Operations, Result, WaitingGroup, WaitingItem } from '../data/operations.ts';
import { useCall, useHref, useLoad, useSession } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { Dialog } from './dialog.tsx';
import { VIEW_OF_KIND } from './found.tsx';
import { KindMark, Mark } from './marks.tsx';
import { Facts, ListedDecision, Row } from './rows.tsx';
import { Await, Part } from './states.tsx';

type Act = WaitingItem['acts'][number];

/** Groups that are open at first; what is only due is not. */
const OPEN = 3;
const isDue = ({ kind }: WaitingGroup) => ['revisit', 'outcome', 'grounds', 'places'].includes(kind);
/** Saves and decisions of each kind that are read. */
const READ = 100;
/** Rules and failures shown where nothing waits. */
const SHOWN = 8;

/**
 * What waits for a person, with the acts of `precedent review` (V-3), each done at once and reverted by one button. With nothing
 * to look at: what binds, then what failed lately.
 */
export function Waiting() {
  const { t, number } = useSpeech();
  const { route } = useSession();
  const call = useCall();
  const review = useLoad(async () => {
    const found = await call('review', { limit: READ });
    return { ...found, others: found.total === 0 ? await binding() : undefined };
  }, ['review']);
  const binding = () =>
    Promise.all([
      call('decision_list', { strength: 'axis', limit: SHOWN }),
      call('decision_list', { strength: 'lock', limit: SHOWN }),
      call('decision_list', { outcome: 'failed', state: 'any', limit: SHOWN }),
    ]);
  const [back, setBack] = useState<{ word: string; run: () => Promise<unknown> }>();
  if (route.query.has('at')) return null;
  return (
    <Await of={review}>
      {({ groups, total, older, others }) => (
        <>
          <Reverting of={back} done={() => setBack(undefined)} />
          {others ? (
            <Binding of={others} />
          ) : (
            <Part id="waiting" title={t.waiting} note={number(total)}>
              {groups.map((group, place) => (
                <Group
                  key={group.items[0]?.key}
                  group={group}
                  isOpen={place < OPEN && !isDue(group)}
                  remember={setBack}
                />
              ))}
              {older > 0 && <p class="quiet">{t.olderSaves(number(older))}</p>}
            </Part>
          )}
        </>
      )}
    </Await>
  );
}

/** Says what was done last, and reverts it. */
function Reverting({
  of,
  done,
}: {
  of: { word: string; run: () => Promise<unknown> } | undefined;
  done: () => void;
}) {
  const { t } = useSpeech();
  const { refresh, fail } = useSession();
  if (!of) return null;
  const revert = () =>
    of.run().then(() => {
      done();
      refresh();
    }, fail);
  return (
    <p role="status" class="buttons">
      {of.word}{' '}
      <button type="button" class="small" onClick={() => void revert()}>
        {t.undo}
      </button>
    </p>
  );
}

interface Acting {
  remember: (back: { word: string; run: () => Promise<unknown> }) => void;
}

function Group({ group, isOpen, remember }: { group: WaitingGroup; isOpen: boolean } & Acting) {
  const { t, number } = useSpeech();
  const { me } = useSession();
  const act = useAct(remember);
  const { kind, items, session } = group;
  const all = (['keep', 'undo'] as const).filter((each) => items.every(({ acts }) => acts.includes(each)));
  return (
    <details open={isOpen}>
      <summary>
        {t.waitingKinds[kind]} {session !== undefined && `${session.slice(0, 8)} ${items[0]?.via ?? ''} `}
        <span class="note">{number(items.length)}</span>
      </summary>
      {me.pageWrites && items.length > 1 && (
        <p class="buttons">
          {all.map((each) => (
            <button type="button" key={each} class="small" onClick={() => void act(each, items)}>
              {each === 'keep' && isDue(group) ? t.later : t.actsAll[each]}
            </button>
          ))}
        </p>
      )}
      <ol class="rows">
        {items.map((item) => (
          <Item key={item.key} item={item} remember={remember} />
        ))}
      </ol>
    </details>
  );
}

function Item({ item, remember }: { item: WaitingItem } & Acting) {
  const { t, time, by } = useSpeech();
  const { me } = useSession();
  const href = useHref();
  const act = useAct(remember);
  const [isEditing, setEditing] = useState(false);
  const { kind, id, title, text, why, what, strength = 'normal', beware, acts } = item;
  const isDecision = kind === 'decision' || kind === 'outcome';
  const view = kind === 'observation' || kind === 'memo' ? VIEW_OF_KIND[kind] : VIEW_OF_KIND.decision;
  return (
    <Row
      href={href(view, id.replace(/^#/, ''))}
      title={title ?? text}
      mark={
        isDecision ? <Mark status="active" outcome={null} strength={strength} /> : <KindMark kind={kind} />
      }
      badges={<span class="badge">{t.happened[what] ?? what}</span>}
      text={title === undefined ? undefined : text}
    >
      {beware.map((each) => (
        <p class="beware" key={each}>
          {each}
        </p>
      ))}
      {why && <p class="why">{why}</p>}
      <Facts of={[time(item.at), by(item)]} />
      {me.pageWrites && (
        <p class="buttons">
          {acts.map((each) => (
            <button
              type="button"
              key={each}
              class="small"
              onClick={() => (each === 'edit' ? setEditing(true) : void act(each, [item]))}
            >
              {each === 'keep' && item.save === undefined ? t.later : t.acts[each]}
            </button>
          ))}
        </p>
      )}
      {isEditing && (
        <Editing
          item={item}
          close={() => setEditing(false)}
          save={(written) => act('edit', [item], written).then(() => setEditing(false))}
        />
      )}
    </Row>
  );
}

/** The text of a record, to be changed. What the agent wrote stays as the version before. */
function Editing(props: { item: WaitingItem; close: () => void; save: (written: string) => Promise<void> }) {
  const { t } = useSpeech();
  const { item, close, save } = props;
  const [written, setWritten] = useState(item.text);
  return (
    <Dialog title={item.title ?? t.acts.edit} close={close} send={() => save(written.trim())}>
      <label>
        {t.acts.edit}
        <textarea
          required
          maxLength={2_000}
          value={written}
          onInput={({ currentTarget }) => setWritten(currentTarget.value)}
        />
      </label>
    </Dialog>
  );
}

const OUTCOMES = { worked: 'success', failed: 'failed', partly: 'partial' } as const;

/** Does an act with some items, and remembers how it is reverted. */
function useAct(remember: Acting['remember']) {
  const { t } = useSpeech();
  const { client, workspace, refresh, fail } = useSession();
  const call = <Name extends keyof Operations>(name: Name, input: Input<Name>) =>
    client.call(workspace, name, input);
  return async (act: Act, items: WaitingItem[], written = ''): Promise<void> => {
    const keys = items.map(({ key }) => key);
    const mark = (back: boolean) => call('reviewed', { keys, back });
    let revert: () => Promise<unknown> = () => call('undo', {});
    try {
      const [item] = items as [WaitingItem];
      const id = item.kind === 'decision' ? (item.title ?? item.id) : item.id;
      if (act === 'undo') {
        const replaces = items.flatMap((each) => (each.strength === 'lock' ? [each.id] : []));
        const saves = items.flatMap(({ save }) => save ?? []);
        const undone = await call('undo', { saves, replaces, reasoning: 'Undone in a review' });
        revert = () => call('undo', { redo: true, last: undone.saves });
      } else if (act === 'withdraw')
        await call('decision_revise', {
          id,
          withdrawn: true,
          reasoning: t.withdrawnInReview,
          replaces: item.id,
        });
      else if (act === 'bind') await call('decision_revise', { id, strength: 'lock' });
      else if (act === 'edit') await editOf(item, id, written);
      else if (act === 'keep') revert = async () => {};
      else await call('mama_update', { id, outcome: OUTCOMES[act] });
      await mark(false);
      remember({
        word: `${t.acts[act]}: ${items.length === 1 ? (item.title ?? item.text) : items.length}.`,
        run: () => revert().then(() => mark(true)),
      });
      refresh();
    } catch (error) {
      fail(error);
    }
  };

  function editOf({ kind }: WaitingItem, id: string, text: string) {
    if (kind === 'observation') return call('mem_update', { id: Number(id.slice(1)), content: text });
    if (kind === 'memo') return call('memo_edit', { infoId: id, fullText: text });
    return call('decision_revise', { id, text });
  }
}

/** What binds, then what failed lately. */
function Binding({ of: [axes, locks, failed] }: { of: Result<'decision_list'>[] }) {
  const { t } = useSpeech();
  const rules = [axes, locks].flatMap((each) => each?.decisions ?? []);
  return (
    <>
      <Decisions id="binding" title={t.rules} rows={rules} />
      <Decisions id="failures" title={t.failedLately} rows={failed?.decisions ?? []} />
    </>
  );
}

function Decisions(props: {
  id: string;
  title: string;
  rows: Parameters<typeof ListedDecision>[0]['row'][];
}) {
  const { id, title, rows } = props;
  if (rows.length === 0) return null;
  return (
    <Part id={id} title={title}>
      <ul class="rows">
        {rows.map((row) => (
          <ListedDecision key={row.id} row={row} />
        ))}
      </ul>
    </Part>
  );
}
