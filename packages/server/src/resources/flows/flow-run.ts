import type { Engine } from "@lakehelm/engine";
import type { RunControl } from "../../runtime/jobs/executor.ts";
import { fullTableName, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { Environments } from "../environments/environments.ts";
import type { Flows } from "./flows.ts";

/** One run of a flow on the warehouse of its environment. */
export async function runFlow(
  {
    flows,
    environments,
    engine,
    clock,
  }: {
    readonly flows: Pick<Flows, "read">;
    readonly environments: Pick<Environments, "actIn">;
    readonly engine: Pick<Engine, "request">;
    readonly clock: () => number;
  },
  run: {
    readonly flowId: string;
    readonly id: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  },
  { signal, line, lineage }: Pick<RunControl, "signal" | "line" | "lineage">,
): Promise<Readonly<Record<string, unknown>>> {
  const { doc } = await flows.read(run.flowId);
  const env = await environments.actIn(doc.environment_id);
  const scope = warehouseScope(env);
  const { source_tables, target_name } = doc.definition;
  const table = (name: string) => ({ name: fullTableName(name, scope) });
  lineage?.({ inputs: source_tables.map(table), outputs: [table(target_name)] });
  const { business_date: date } = run.parameters;
  const started = clock();
  const done = await engine.request(
    "flow",
    {
      scope,
      flow: doc.definition,
      businessDate: typeof date === "string" ? date : null,
      run: run.id,
    },
    { signal, onLogLine: line },
  );
  const { inserted, updated, deleted, unmatched, failedChecks } = done;
  line(
    "info",
    `${inserted} ${inserted === 1 ? "row" : "rows"} inserted, ${updated} updated, ${deleted} deleted, ${unmatched} kept as unmatched.`,
  );
  for (const failure of failedChecks) line("warn", failure);
  return {
    rows_inserted: inserted,
    rows_updated: updated,
    rows_deleted: deleted,
    rows_unmatched: unmatched,
    failed_checks: failedChecks,
    seconds: Math.round(clock() - started) / 1000,
  };
}
