/**
 * The same work for all who ask for it at once, and for those who ask soon after.
 * @param holds how long an answer is given again, in milliseconds
 */
export function sharedAnswer<Answer>(work: () => Promise<Answer>, holds: number, now: () => number) {
  let last: { answer: Promise<Answer>; at: number } | undefined;
  return (): Promise<Answer> => {
    // A clock that is set back must not make an answer hold for longer.
    if (last && Math.abs(now() - last.at) < holds) return last.answer;
    last = { answer: work(), at: now() };
    return last.answer;
  };
}
