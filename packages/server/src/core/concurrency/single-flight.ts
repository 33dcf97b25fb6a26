/** Runs one call at a time. Calls made during a run share one follow-up run. */
export function singleFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;
  function run(): Promise<Result> {
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  }
  return () => {
    if (!running) return run();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return run();
      });
    return next;
  };
}
