import { fullName, type TableName } from "../../warehouse/names.ts";

/** By environment and table: what runs now, and what waits behind it. */
const busy = new Map<string, Promise<unknown>>();

/** Runs, one after the other, what needs a table of the same name here: a stand-in or a copy of the one in the cluster. */
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
