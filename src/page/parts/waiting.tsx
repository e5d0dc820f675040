import { useState } from 'preact/hooks';
import type { Input, Operations, Result, WaitingGroup, WaitingItem } from '../data/operations.ts';
import { useCall, useHref, useLoad, useSession } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { type Binding, readBinding } from './binding.ts';
import { Correction } from './correction.tsx';
import { Dialog } from './dialog.tsx';
import { useAddress } from './logged.tsx';
import { KindMark, Mark } from './marks.tsx';
import { BriefDecision, Facts, Row } from './rows.tsx';
import { Await, Part } from './states.tsx';
import { problemOf } from './writing.tsx';

/** `alongside`: it holds, and so does what it may contradict or still say. */
type Act = WaitingItem['acts'][number] | 'alongside';
/** What was done last, and what reverts it. */
type Back = { word: string; run: () => Promise<unknown> };

/** Groups that are open at first; what is only due is not. */
const OPEN = 3;
const isDue = ({ kind }: WaitingGroup) =>
  ['copies', 'revisit', 'outcome', 'grounds', 'places', 'files', 'hints'].includes(kind);
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
  const { act, problem } = useAct(remember);
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
      {problem && <p role="alert">{problem}</p>}
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
  const { act, call, problem } = useAct(remember);
  const [isEditing, setEditing] = useState(false);
  const [isHinting, setHinting] = useState(false);
  const give = async (hints: string[]) => {
    const { warnings = [] } = await call('mama_update', { id: item.id, hints });
    // None of them can be a hint, and nothing was saved.
    if (!(await call('decision_get', { id: item.id })).hints) throw new Error(warnings.join('\n'));
  };
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
              onClick={() => {
                if (each === 'edit') setEditing(true);
                else if (each === 'hints') setHinting(true);
                else void act(each, [item]);
              }}
            >
              {each === 'keep' && item.undo === undefined ? t.later : t.acts[each]}
            </button>
          ))}
        </p>
      )}
      {isHinting && (
        <Hinting
          item={item}
          problem={problem}
          close={() => setHinting(false)}
          save={(hints) => act('hints', [item], () => give(hints).then(() => setHinting(false)))}
        />
      )}
      {problem && !isEditing && !isHinting && <p role="alert">{problem}</p>}
      {isEditing && (
        <Correction
          of={item.kind === 'decision' ? (item.title ?? item.id) : item.id}
          write={(name, input) => act('edit', [item], () => call(name, input).then(() => setEditing(false)))}
          problem={problem}
          close={() => setEditing(false)}
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

/** Asks for the phrases that recall a rule (RE-16). */
function Hinting(props: {
  item: WaitingItem;
  problem: string | undefined;
  close: () => void;
  save: (hints: string[]) => void;
}) {
  const { t } = useSpeech();
  const { item, problem, close, save } = props;
  const [written, setWritten] = useState('');
  const hints = written.split('\n').flatMap((each) => each.trim() || []);
  return (
    <Dialog title={t.acts.hints} close={close} send={() => save(hints)} does={t.save} problem={problem}>
      <p>{item.text}</p>
      <label>
        {t.hintsAsked}
        <textarea required value={written} onInput={({ currentTarget }) => setWritten(currentTarget.value)} />
      </label>
    </Dialog>
  );
}

/** Does an act with some items, and remembers how it is reverted. */
function useAct(remember: Acting['remember']) {
  const { t } = useSpeech();
  const { client, workspace, refresh, fail } = useSession();
  const call = <Name extends keyof Operations>(name: Name, input: Input<Name>) =>
    client.call(workspace, name, input);
  const [problem, setProblem] = useState<string>();
  /** @param edit what saves the text that was edited */
  const act = async (act: Act, items: WaitingItem[], edit?: () => Promise<unknown>): Promise<void> => {
    setProblem(undefined);
    const keys = items.map(({ key }) => key);
    const mark = (back: boolean) => call('reviewed', { keys, back });
    let revert: () => Promise<unknown> = () => call('undo', {});
    try {
      const [item] = items as [WaitingItem];
      const id = item.kind === 'decision' ? (item.title ?? item.id) : item.id;
      if (act === 'undo') {
        const undone = await call('undo', { saves: items.flatMap(({ undo }) => undo ?? []) });
        revert = () => call('undo', { redo: true, last: undone.saves });
      } else if (act === 'withdraw') {
        const { decision, versions } = await call('decision_get', { id: item.id });
        const active = versions.find((each) => each.isActive);
        // What replaced it meanwhile was not shown: the refusal names it.
        const isShown =
          active?.text === decision.text &&
          active.strength === decision.strength &&
          active.scope === decision.scope;
        await call('decision_revise', {
          id: isShown ? active.id : item.id,
          withdrawn: true,
          reasoning: t.withdrawnInReview,
          replaces: item.id,
        });
      } else if (act === 'bind') await call('decision_revise', { id, strength: 'lock' });
      else if (act === 'edit' || act === 'hints') await edit?.();
      else if (act === 'alongside') {
        const both = (item.contradicts ?? []).map(
          (name) => `${name.startsWith('note ') ? 'both hold' : 'alongside'}: ${name}`,
        );
        const added = (said?: string | null) => [said, ...both].filter(Boolean).join('\n');
        if (item.kind === 'decision') {
          const { decision } = await call('decision_get', { id: item.id });
          const reasoning = added(decision.reasoning);
          await call('decision_revise', { id, reasoning, tidy: true, replaces: item.id });
        } else {
          const { observation, memo } = await call('show', { ref: id });
          if (observation)
            await call('mem_update', { id: observation.id, content: added(observation.content) });
          else await call('memo_edit', { infoId: id, fullText: added(memo?.full_text) });
        }
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
      setProblem(`${t.failed}: ${problemOf(error)}`);
    }
  };
  return { act, call, problem };
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
