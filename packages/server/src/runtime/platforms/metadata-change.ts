import { counted } from "@lakehelm/contract/text";
import { type CatalogMetadataChange, type CatalogTable, DataProblem } from "@lakehelm/engine";
import { afterChange, type MetadataStep, metadataSteps } from "./metadata-steps.ts";

const mostSteps = 500;

/** How a platform reads a table and runs a statement that changes comments or tags. */
export interface MetadataAccess {
  /** Undefined: there is no such table. */
  readTable(name: CatalogMetadataChange, signal: AbortSignal): Promise<CatalogTable | undefined>;
  run(sql: string): Promise<unknown>;
}

/**
 * Changes comments and tags on a platform that has no transaction for that: if a statement fails, those before it are
 * undone. A caller who disconnects does not stop the change halfway.
 */
export async function changeMetadata(
  access: MetadataAccess,
  changes: readonly CatalogMetadataChange[],
  signal: AbortSignal,
): Promise<{ changed: boolean }> {
  const steps = await plan(access, changes, signal);
  if (steps.length > mostSteps) {
    throw new DataProblem(
      `The change needs ${counted(steps.length, "statement")}. At most ${mostSteps} can be run at once.`,
    );
  }
  signal.throwIfAborted();
  const done: MetadataStep[] = [];
  for (const step of steps) {
    try {
      await access.run(step.apply);
    } catch (error) {
      // It is unknown whether this statement was executed: undoing it is right in both cases, except for a tag that
      // does not exist.
      await takeBack(access, [...done, step], error as Error);
    }
    done.push(step);
  }
  return { changed: steps.length > 0 };
}

/** Everything is read and checked before anything is changed. */
async function plan(
  { readTable }: MetadataAccess,
  changes: readonly CatalogMetadataChange[],
  signal: AbortSignal,
): Promise<MetadataStep[]> {
  const tables = new Map<string, CatalogTable>();
  const steps: MetadataStep[] = [];
  for (const change of changes) {
    const name = `${change.catalog}.${change.schema}.${change.table}`.toLowerCase();
    const table = tables.get(name) ?? (await readTable(change, signal));
    if (!table) throw new DataProblem(`There is no table ${JSON.stringify(name)}.`);
    steps.push(...metadataSteps(table, change));
    tables.set(name, afterChange(table, change));
  }
  return steps;
}

async function takeBack(
  { run }: MetadataAccess,
  steps: readonly MetadataStep[],
  error: Error,
): Promise<never> {
  const [failed, ...before] = steps.toReversed();
  if (failed) await run(failed.undo).catch(() => {});
  const left: string[] = [];
  for (const { apply, undo } of before) {
    await run(undo).catch(() => left.push(apply));
  }
  if (left.length === 0) throw error;
  const rest = `These statements were run and could not be taken back: ${left.join("; ")}`;
  throw new DataProblem(`${error.message} ${rest}`, { cause: error });
}
