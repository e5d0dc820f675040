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

/** A view of the menu, with those that belong to it, by the first part of their address. */
interface Place {
  word: keyof Words & ('home' | 'decisions' | 'rules' | 'observations' | 'memos' | 'changes' | 'health');
  views: Map<string, ComponentType>;
}

const place = (word: Place['word'], views: Record<string, ComponentType>): Place => ({
  word,
  views: new Map(Object.entries(views)),
});

export const PLACES: Place[] = [
  place('home', { '': HomeView }),
  place('decisions', { list: ListView, d: DecisionView }),
  place('changes', { changes: ChangesView, c: CheckpointView }),
  place('rules', { rules: RulesView }),
  place('observations', { observations: ObservationsView, o: ObservationView }),
  place('memos', { memos: MemosView, m: MemoView }),
  place('health', { health: HealthView }),
];

/** The view of the current address. */
export function View() {
  const { t } = useSpeech();
  const { route } = useSession();
  const href = useHref();
  const Found = PLACES.find(({ views }) => views.has(route.view))?.views.get(route.view);
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
