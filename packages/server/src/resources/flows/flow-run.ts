import type { Run } from "@lakehelm/contract";
import { shellArgument } from "@lakehelm/contract/changes";
import { DataProblem, type Engine } from "@lakehelm/engine";
import type { RunControl } from "../../runtime/jobs/executor.ts";
import { engineFor } from "../../runtime/jobs/named-commands.ts";
import { fullTableName, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { Environments } from "../environments/environments.ts";
import type { Flows } from "./flows.ts";
import { deleteShareOf, readFlowParameters } from "./run-parameters.ts";

/** One run of a flow on the warehouse of its environment. */
export async function runFlow(
  {
    flows,
    environments,
    engine: anyEngine,
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
  { signal, line, lineage, progress }: Pick<RunControl, "signal" | "line" | "lineage" | "progress">,
): Promise<{ readonly metrics: Run["metrics"]; readonly warning?: string }> {
  const { doc } = await flows.read(run.flowId);
  const env = await environments.actIn(doc.environment_id);
  const engine = engineFor(anyEngine, { id: doc.id, name: doc.name, environment: env.environment.name });
  const scope = warehouseScope(env);
  const { source_tables, target_name } = doc.definition;
  const table = (name: string) => ({ name: fullTableName(name, scope) });
  lineage?.({ inputs: source_tables.map(table), outputs: [table(target_name)] });
  const share = deleteShareOf(run.parameters);
  const flow = share === undefined ? doc.definition : { ...doc.definition, max_delete_share: share };
  const started = clock();
  const done = await engine.request(
    "flow",
    { scope, flow, ...readFlowParameters(run.parameters), run: run.id },
    { signal, onLogLine: line },
  );
  const { inserted, updated, deleted, unmatched, duplicates, remarks, failedChecks } = done;
  line(
    "info",
    `${inserted} ${inserted === 1 ? "row" : "rows"} inserted, ${updated} updated, ${deleted} deleted, ${unmatched} kept as unmatched.`,
  );
  for (const { level, text } of remarks) line(level, text);
  for (const { severity, text, query } of failedChecks) {
    line(severity === "fail" ? "error" : "warn", text);
    if (query !== undefined) line("info", `To see them: ${queryCommand(query, env.environment.name)}`);
  }
  const metrics = {
    rows_inserted: inserted,
    rows_updated: updated,
    rows_deleted: deleted,
    rows_unmatched: unmatched,
    rows_duplicate: duplicates,
    failed_checks: failedChecks.map(({ text }) => text),
    seconds: Math.round(clock() - started) / 1000,
  };
  if (failedChecks.length === 0) return { metrics };
  const failures = failedChecks.filter(({ severity }) => severity === "fail");
  const reasons = (failures.length > 0 ? failures : failedChecks).map(({ text }) => text).join(" ");
  const warning = `${fullTableName(target_name, scope)} did not pass its checks: ${reasons}`;
  if (failures.length === 0) return { metrics, warning };
  // The rows are written, and the counts of a failed run say so.
  progress(metrics);
  throw new DataProblem(`The rows were published, but ${warning}`);
}

const queryCommand = (sql: string, environment: string): string =>
  `lakehelm query --env ${shellArgument(environment)} ${shellArgument(sql.replace(/\s*\n\s*/g, " "))}`;
