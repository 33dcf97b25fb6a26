/** Who is next at a file. Locks of files work between processes: within one, two DuckDBs would write over each other. */
const turns = new Map<string, Promise<void>>();

/** Waits until nobody of this process works with the file. The turn ends with the work. */
export async function withFileMutex<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const before = turns.get(path) ?? Promise.resolve();
  const working = before.then(work);
  const over = working.then(
    () => {},
    () => {},
  );
  turns.set(path, over);
  try {
    return await working;
  } finally {
    if (turns.get(path) === over) turns.delete(path);
  }
}
