/** @returns a function that runs each piece of work when those before it have ended, however they ended */
export function oneAfterTheOther() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const running = last.then(work);
    last = running.catch(() => {});
    return running;
  };
}
