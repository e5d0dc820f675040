import type { Found, Outcome } from '../data/operations.ts';
import { useSpeech } from '../words/words.ts';

/** The state of a decision. */
export interface State {
  status: 'active' | 'withdrawn' | 'superseded';
  outcome: Outcome | null;
  strength?: 'axis' | 'lock' | 'normal';
}

/** The state of a decision as a symbol. Filled: active. Hollow: superseded. The shape shows strength or failure. */
export function Mark({ status, outcome, strength = 'normal' }: State) {
  return (
    <svg class={`mark ${status} ${outcome ?? 'open'}`} viewBox="-8 -8 16 16" aria-hidden="true">
      {outcome === 'failed' ? (
        <path d="M-5 -5L5 5M5 -5L-5 5" />
      ) : strength === 'axis' ? (
        <path class="body" d="M0 -7L7 0L0 7L-7 0Z" />
      ) : strength === 'lock' ? (
        <rect class="body" x="-5.5" y="-5.5" width="11" height="11" />
      ) : (
        <circle class="body" r="5.5" />
      )}
    </svg>
  );
}

/** An eye, a note, a flag: the symbols of other kinds of records. */
const KINDS: Record<Exclude<Found['kind'], 'decision'> | 'other', string> = {
  observation: 'M-6.5 0Q0 -8.5 6.5 0Q0 8.5 -6.5 0ZM-1.8 0a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0 -3.6 0',
  memo: 'M-5 -6H5V2.5L1.5 6H-5ZM-2.5 -2.5H2.5M-2.5 .8H2.5',
  checkpoint: 'M-4.5 7V-6.5H5L2.5 -3L5 .5H-4.5',
  other: 'M-5 0H5',
};

/** The kind of a record as a symbol. */
export function KindMark({ kind }: { kind: string }) {
  return (
    <svg class="mark kind" viewBox="-8 -8 16 16" aria-hidden="true">
      <path d={KINDS[kind as keyof typeof KINDS] ?? KINDS.other} />
    </svg>
  );
}

export const SIGNS = { success: '✓', failed: '✕', partial: '◐' } as const;

/** The outcome of a decision, as a symbol and in words. */
export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  const { t } = useSpeech();
  return (
    <span class={`badge ${outcome}`}>
      {SIGNS[outcome]} {t[outcome]}
    </span>
  );
}

/** Status, strength and outcome in words. @param isBrief leaves out "active" */
export function Badges({ status, outcome, strength, isBrief }: State & { isBrief?: boolean }) {
  const { t } = useSpeech();
  return (
    <>
      {!(isBrief && status === 'active') && <span class={`badge ${status}`}>{t[status]}</span>}
      {strength && strength !== 'normal' && (
        <span class={`badge ${strength}`} title={t.strengths[strength]}>
          {t[strength]}
        </span>
      )}
      {outcome && <OutcomeBadge outcome={outcome} />}
    </>
  );
}
