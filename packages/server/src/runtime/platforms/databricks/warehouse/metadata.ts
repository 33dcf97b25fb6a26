import { type CatalogMetadataChange, type CatalogTable, DataProblem } from "@lakehelm/engine";
import type { Workspace } from "../workspaces.ts";
import { readTable } from "./catalog.ts";
import { afterChange, type MetadataStep, metadataSteps } from "./metadata-steps.ts";
import { runStatement } from "./statement.ts";

/** For one statement: a stopped warehouse needs minutes to start. */
const statementMs = 300_000;
const mostSteps = 500;

/**
 * Changes comments and tags. A workspace has no transaction for that: if a statement fails, those before it are taken back. A
 * caller who leaves does not stop it halfway.
 */
export async function changeMetadata(
  workspace: Workspace,
  changes: readonly CatalogMetadataChange[],
  signal: AbortSignal,
): Promise<{ changed: boolean }> {
  const steps = await plan(workspace, changes, signal);
  if (steps.length > mostSteps) {
    throw new DataProblem(
      `The change needs ${steps.length} statements. At most ${mostSteps} can be run at once.`,
    );
  }
  signal.throwIfAborted();
  const done: MetadataStep[] = [];
  for (const step of steps) {
    try {
      await run(workspace, step.apply);
    } catch (error) {
      // It is unknown whether this one was done: taking it back is right in both cases, except for a tag that is not there.
      await takeBack(workspace, [...done, step], error as Error);
    }
    done.push(step);
  }
  return { changed: steps.length > 0 };
}

/** Everything is read and checked before anything is changed. */
async function plan(
  { client }: Workspace,
  changes: readonly CatalogMetadataChange[],
  signal: AbortSignal,
): Promise<MetadataStep[]> {
  const tables = new Map<string, CatalogTable>();
  const steps: MetadataStep[] = [];
  for (const change of changes) {
    const name = `${change.catalog}.${change.schema}.${change.table}`.toLowerCase();
    const table = tables.get(name) ?? (await readTable(client, change, signal));
    if (!table) throw new DataProblem(`There is no table ${JSON.stringify(name)}.`);
    steps.push(...metadataSteps(table, change));
    tables.set(name, afterChange(table, change));
  }
  return steps;
}

const run = (workspace: Workspace, sql: string) =>
  runStatement(
    workspace,
    // Removing a tag twice is an error.
    { sql, timeoutMs: statementMs, maxBytes: 65_536, isIdempotent: !sql.includes(" UNSET TAGS (") },
    new AbortController().signal,
  );

async function takeBack(workspace: Workspace, steps: readonly MetadataStep[], error: Error): Promise<never> {
  const [failed, ...before] = steps.toReversed();
  if (failed) await run(workspace, failed.undo).catch(() => {});
  const left: string[] = [];
  for (const { apply, undo } of before) {
    await run(workspace, undo).catch(() => left.push(apply));
  }
  if (left.length === 0) throw error;
  const rest = `These statements were run and could not be taken back: ${left.join("; ")}`;
  throw new DataProblem(`${error.message} ${rest}`, { cause: error });
}
