/**
 * The last task queued for each file. File locks only exclude other processes: two DuckDB instances in one process would
 * overwrite each other.
 */
const pending = new Map<string, Promise<void>>();

/** Runs the work when no other work in this process uses the file. */
export async function withFileMutex<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const before = pending.get(path) ?? Promise.resolve();
  const result = before.then(work);
  const done = result.then(
    () => {},
    () => {},
  );
  pending.set(path, done);
  try {
    return await result;
  } finally {
    if (pending.get(path) === done) pending.delete(path);
  }
}
