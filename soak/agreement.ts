import type { Run } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import { copyTable, type Load, tickTable, tickTables } from "./load.ts";

/** All rows of ticks, as `automation run`. */
async function ticksIn(client: Client, table: string): Promise<string[]> {
  const ticks: string[] = [];
  const limit = 1000;
  for (let skip = 0; ; skip += limit) {
    const sql = `SELECT automation, run FROM ${table} ORDER BY automation, run`;
    const { rows } = await client.runQuery({ body: { sql, skip, limit } });
    ticks.push(...rows.map((row) => row.join(" ")));
    if (rows.length < limit) return ticks.sort();
  }
}

export async function allTicks(client: Client): Promise<string[]> {
  const found: string[] = [];
  for (const table of tickTables) found.push(...(await ticksIn(client, table)));
  return found.sort();
}

/** What the runs say that they have written. */
export const ticksOf = (automation: string, runs: readonly Run[]): string[] =>
  runs.filter(hasTicked).map(({ id }) => `${automation} ${id}`);

const hasTicked = ({ metrics }: Run): boolean =>
  tasksOf(metrics).some(({ name, status }) => name === "tick" && status === "succeeded");

function tasksOf({ tasks }: Run["metrics"]): readonly { name?: unknown; status?: unknown }[] {
  return Array.isArray(tasks) ? tasks : [];
}

/** The pipelines that have not copied exactly what there was to copy. */
export async function wrongCopies(client: Client, load: Load): Promise<string[]> {
  const wrong: string[] = [];
  for (let n = 0; n < load.pipelines; n++) {
    const [source, copy] = [await ticksIn(client, tickTable(n)), await ticksIn(client, copyTable(n))];
    if (source.join("\n") !== copy.join("\n"))
      wrong.push(`${copyTable(n)} has ${copy.length} rows of ${source.length}`);
  }
  return wrong;
}
