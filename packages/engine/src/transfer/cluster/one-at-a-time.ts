import { fullName, type TableName } from "../../warehouse/names.ts";

/** By environment and table: the last work that runs or waits. */
const busy = new Map<string, Promise<unknown>>();

/** A mutex for work that needs a table of the same name here: a stand-in or a copy of the table in the cluster. */
export async function oneAtATime<Result>(
  environment: string,
  table: TableName,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const name = `${environment} ${fullName(table)}`;
  const before = busy.get(name) ?? Promise.resolve();
  const mine = before
    .catch(() => {})
    .then(() => {
      signal.throwIfAborted();
      return work();
    });
  busy.set(name, mine);
  try {
    return await mine;
  } finally {
    if (busy.get(name) === mine) busy.delete(name);
  }
}
