import type { ComponentType } from 'preact';
import { useHref, useSession } from '../data/session.ts';
import { Heading } from '../parts/states.tsx';
import { ChangesView } from '../views/changes.tsx';
import { CheckpointView } from '../views/checkpoint.tsx';
import { DecisionView } from '../views/decision.tsx';
import { HealthView } from '../views/health.tsx';
import { HomeView } from '../views/home.tsx';
import { ListView } from '../views/list.tsx';
import { MemosView, MemoView } from '../views/memos.tsx';
import { ObservationView } from '../views/observation.tsx';
import { ObservationsView } from '../views/observations.tsx';
import { RulesView } from '../views/rules.tsx';
import type { Words } from '../words/en.ts';
import { useSpeech } from '../words/words.ts';

/** A view in the menu, and the views that belong to it. */
interface Place {
  view: string;
  word: keyof Words & ('home' | 'decisions' | 'rules' | 'observations' | 'memos' | 'changes' | 'health');
  also: string[];
}

export const PLACES: Place[] = [
  { view: '', word: 'home', also: [] },
  { view: 'list', word: 'decisions', also: ['d'] },
  { view: 'changes', word: 'changes', also: ['c'] },
  { view: 'rules', word: 'rules', also: [] },
  { view: 'observations', word: 'observations', also: ['o'] },
  { view: 'memos', word: 'memos', also: ['m'] },
  { view: 'health', word: 'health', also: [] },
];

const VIEWS = new Map<string, ComponentType>(
  Object.entries({
    '': HomeView,
    list: ListView,
    d: DecisionView,
    changes: ChangesView,
    c: CheckpointView,
    rules: RulesView,
    observations: ObservationsView,
    o: ObservationView,
    memos: MemosView,
    m: MemoView,
    health: HealthView,
  }),
);

/** The view of the current address. */
export function View() {
  const { t } = useSpeech();
  const { route } = useSession();
  const href = useHref();
  const Found = VIEWS.get(route.view);
  if (Found) return <Found key={route.id} />;
  return (
    <>
      <Heading>{t.noPage}</Heading>
      <p>
        <a href={href('')}>{t.toHome}</a>
      </p>
    </>
  );
}
