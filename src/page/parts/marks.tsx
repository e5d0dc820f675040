import type { Outcome } from '../data/operations.ts';
import { useSpeech } from '../words/words.ts';

/** What a decision is worth showing of itself at a glance. */
export interface State {
  status: 'stands' | 'withdrawn' | 'superseded';
  outcome: Outcome | null;
  strength?: 'axis' | 'lock' | 'normal';
}

/** The state of a decision as a shape: filled stands, hollow does not; the sign is what became of it. Words stand beside it. */
export function Mark({ status, outcome, strength = 'normal' }: State) {
  return (
    <svg class={`mark ${status} ${outcome ?? 'open'}`} viewBox="-8 -8 16 16" aria-hidden="true">
      {outcome === 'failed' ? (
        <path class="sign" d="M-5 -5L5 5M5 -5L-5 5" />
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

const SIGNS = { success: '✓', failed: '✕', partial: '◐' } as const;

/** What became of a decision, as a sign and in words. */
export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  const { t } = useSpeech();
  return (
    <span class={`badge ${outcome}`}>
      {SIGNS[outcome]} {t[outcome]}
    </span>
  );
}

/** Status, strength and outcome in words; what goes without saying is left out, where `isBrief`. */
export function Badges({ status, outcome, strength, isBrief }: State & { isBrief?: boolean }) {
  const { t } = useSpeech();
  return (
    <>
      {!(isBrief && status === 'stands') && <span class={`badge ${status}`}>{t[status]}</span>}
      {strength && strength !== 'normal' && <span class={`badge ${strength}`}>{t[strength]}</span>}
      {outcome && <OutcomeBadge outcome={outcome} />}
    </>
  );
}
