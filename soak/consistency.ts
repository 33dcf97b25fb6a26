import type { Run } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import { copyTable, tickTable, tickTables, type Workload } from "./workload.ts";

/** All rows of a tick table, each as `automation run`. */
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

/** The ticks that the warehouse holds. */
export async function storedTicks(client: Client): Promise<string[]> {
  const ticks: string[] = [];
  for (const table of tickTables) ticks.push(...(await ticksIn(client, table)));
  return ticks.sort();
}

/** The ticks that the runs of an automation report as written. */
export const reportedTicks = (automation: string, runs: readonly Run[]): string[] =>
  runs.filter(reportsTick).map(({ id }) => `${automation} ${id}`);

const reportsTick = ({ metrics }: Run): boolean =>
  tasksOf(metrics).some(({ name, status }) => name === "tick" && status === "succeeded");

function tasksOf({ tasks }: Run["metrics"]): readonly { name?: unknown; status?: unknown }[] {
  return Array.isArray(tasks) ? tasks : [];
}

/** The pipelines whose copy differs from its source table. */
export async function copyProblems(client: Client, { pipelines }: Workload): Promise<string[]> {
  const problems: string[] = [];
  for (let n = 0; n < pipelines; n++) {
    const [source, copy] = [await ticksIn(client, tickTable(n)), await ticksIn(client, copyTable(n))];
    if (source.join("\n") !== copy.join("\n"))
      problems.push(`${copyTable(n)} differs from its source: ${copy.length} rows of ${source.length}`);
  }
  return problems;
}
