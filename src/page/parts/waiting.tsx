import { useState } from 'preact/hooks';
import type { Input, Operations, Result, WaitingGroup, WaitingItem } from '../data/operations.ts';
import { useCall, useHref, useLoad, useSession } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { type Binding, readBinding } from './binding.ts';
import { Dialog } from './dialog.tsx';
import { useAddress } from './logged.tsx';
import { KindMark, Mark } from './marks.tsx';
import { BriefDecision, Facts, Row } from './rows.tsx';
import { Await, Part } from './states.tsx';

/** `alongside`: it holds, and so does what it may contradict or still say. */
type Act = WaitingItem['acts'][number] | 'alongside';
/** What was done last, and what reverts it. */
type Back = { word: string; run: () => Promise<unknown> };

/** Groups that are open at first; what is only due is not. */
const OPEN = 3;
const isDue = ({ kind }: WaitingGroup) =>
  ['copies', 'revisit', 'outcome', 'grounds', 'places', 'files'].includes(kind);
/** Items that are read at first, and more each time. */
const READ = 100;
/** Rules of each strength, and failures, shown where nothing waits. */
const SHOWN = { rules: 20, failed: 8 };

/**
 * What waits for a person, with the acts of `precedent review` (V-3), each done at once and reverted by one button. With nothing
 * to look at, and on an earlier day: what binds, then what failed lately.
 */
export function Waiting() {
  const { t, language, number } = useSpeech();
  const { client, workspace, route } = useSession();
  const [limit, setLimit] = useState(READ);
  const call = useCall();
  const at = route.query.get('at');
  const waits = useLoad(async () => {
    const review = at === null ? await client.call(workspace, 'review', { limit, language }) : undefined;
    return review?.total ? review : { others: await binding(), notes: review?.older ? review.notes : [] };
  }, ['review', limit, language]);
  const binding = () =>
    Promise.all([
      readBinding(call, SHOWN.rules),
      call('decision_list', { outcome: 'failed', limit: SHOWN.failed }),
    ]);
  const [back, setBack] = useState<Back>();
  return (
    <Await of={waits}>
      {(found) => (
        <>
          <Reverting of={back} done={() => setBack(undefined)} />
          {'others' in found ? (
            <Calm rules={found.others[0]} failed={found.others[1]} />
          ) : (
            <Part id="waiting" title={t.waiting} note={number(found.total)}>
              {found.groups.map((group, place) => (
                <Group
                  key={group.items[0]?.key ?? place}
                  group={group}
                  isOpen={place < OPEN && !isDue(group)}
                  remember={setBack}
                />
              ))}
            </Part>
          )}
          {'left' in found && found.left > 0 && (
            <button type="button" onClick={() => setLimit(limit + READ)}>
              {t.more}
            </button>
          )}
          {found.notes.map((each) => (
            <p class="quiet" key={each}>
              {each}
            </p>
          ))}
        </>
      )}
    </Await>
  );
}

/** Says what was done last, and reverts it. */
function Reverting({ of, done }: { of: Back | undefined; done: () => void }) {
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
  remember: (back: Back) => void;
}

function Group({ group, isOpen, remember }: { group: WaitingGroup; isOpen: boolean } & Acting) {
  const { t, number } = useSpeech();
  const { me } = useSession();
  const act = useAct(remember);
  const { title, count, items } = group;
  const all = (['keep', 'undo'] as const).filter((each) => items.every(({ acts }) => acts.includes(each)));
  return (
    <details open={isOpen}>
      <summary>
        {title} <span class="note">{number(count)}</span>
      </summary>
      {me.pageWrites && items.length > 1 && items.length === count && (
        <p class="buttons">
          {all.map((each) => (
            <button type="button" key={each} class="small" onClick={() => void act(each, items)}>
              {t.actsAll[each === 'keep' && isDue(group) ? 'later' : each]}
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
  const href = useAddress({ ...item, topic: item.title });
  const act = useAct(remember);
  const call = useCall();
  const { fail } = useSession();
  const [edited, setEdited] = useState<string>();
  const edit = () => wholeText(call, item).then(setEdited, fail);
  const { kind, title, text, changes, why, what, strength = 'normal', beware, acts } = item;
  const isDecision = kind === 'decision' || kind === 'outcome';
  const both: Act[] = item.contradicts ? ['alongside'] : [];
  return (
    <Row
      href={href}
      title={title ?? text}
      mark={
        isDecision ? <Mark status="active" outcome={null} strength={strength} /> : <KindMark kind={kind} />
      }
      badges={<span class="badge">{t.happened[what] ?? what}</span>}
      text={title === undefined || changes ? undefined : text}
    >
      {changes && <Changes of={changes} />}
      {beware.map((each) => (
        <p class="beware" key={each}>
          {each}
        </p>
      ))}
      {why && <p class="why">{why}</p>}
      <Facts of={[time(item.at), by(item)]} />
      {me.pageWrites && (
        <p class="buttons">
          {[...acts, ...both].map((each) => (
            <button
              type="button"
              key={each}
              class="small"
              onClick={() => void (each === 'edit' ? edit() : act(each, [item]))}
            >
              {each === 'keep' && item.undo === undefined ? t.later : t.acts[each]}
            </button>
          ))}
        </p>
      )}
      {edited !== undefined && (
        <Editing
          item={item}
          text={edited}
          close={() => setEdited(undefined)}
          save={(written) => act('edit', [item], written).then(() => setEdited(undefined))}
        />
      )}
    </Row>
  );
}

/** A text, and word by word what it replaced. */
function Changes({ of }: { of: NonNullable<WaitingItem['changes']> }) {
  return (
    <p>
      {of.map(({ kind, text }, at) => {
        const Element = ({ same: 'span', removed: 'del', added: 'ins' } as const)[kind];
        return <Element key={`${at} ${text}`}>{text}</Element>;
      })}
    </p>
  );
}

/** The text of a record, to be changed. What the agent wrote stays as the version before. */
function Editing(props: {
  item: WaitingItem;
  text: string;
  close: () => void;
  save: (written: string) => Promise<void>;
}) {
  const { t } = useSpeech();
  const { item, text, close, save } = props;
  const [written, setWritten] = useState(text);
  return (
    <Dialog title={item.title ?? t.acts.edit} close={close} send={() => save(written.trim())} does={t.save}>
      <label>
        {t.acts.edit}
        <textarea required value={written} onInput={({ currentTarget }) => setWritten(currentTarget.value)} />
      </label>
    </Dialog>
  );
}

/** The whole text of a record: a list shows its beginning. */
async function wholeText(call: ReturnType<typeof useCall>, { kind, id }: WaitingItem): Promise<string> {
  if (kind === 'decision') return (await call('decision_get', { id })).decision.text;
  const { observation, memo } = await call('show', { ref: id });
  return observation?.content ?? memo?.full_text ?? '';
}

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
        const undone = await call('undo', { saves: items.flatMap(({ undo }) => undo ?? []) });
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
      else if (act === 'alongside') {
        const isDecision = item.kind === 'decision';
        const said = isDecision
          ? (await call('decision_get', { id: item.id })).decision.reasoning
          : await wholeText(call, item);
        const both = (item.contradicts ?? []).map((each) => `alongside: ${each}`);
        const next = [said, ...both].filter(Boolean).join('\n');
        if (isDecision) await call('decision_revise', { id, reasoning: next, tidy: true, replaces: item.id });
        else await editOf(item, id, next);
      } else if (act === 'keep') revert = async () => {};
      else await call('mama_update', { id, outcome: act });
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

/** What binds, then what failed lately, each with the way to all of it. */
function Calm({ rules, failed }: { rules: Binding; failed: Result<'decision_list'> }) {
  const { t, number } = useSpeech();
  const href = useHref();
  const parts = [
    { id: 'binding', title: t.rules, all: href('rules'), ...rules },
    {
      id: 'failures',
      title: t.failedLately,
      all: href('list', '', { q: 'outcome:failed' }),
      ...failed,
    },
  ];
  return parts.map(
    ({ id, title, all, decisions, total }) =>
      decisions.length > 0 && (
        <Part key={id} id={id} title={title} note={t.nOfM(number(decisions.length), number(total))}>
          <ul class="rows">
            {decisions.map((row) => (
              <BriefDecision key={row.id} row={row} />
            ))}
          </ul>
          {decisions.length < total && (
            <p>
              <a href={all}>{t.showAll(number(total))}</a>
            </p>
          )}
        </Part>
      ),
  );
}
