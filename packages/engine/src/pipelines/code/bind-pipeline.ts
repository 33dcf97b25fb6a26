import { type PipelineProblem, planPipeline } from "@lakehelm/codegen/pipelines";
import { loadSql } from "@lakehelm/codegen/sql";
import type { PipelineCode } from "../../requests.ts";
import { interruptible } from "../../warehouse/interrupting.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { bindStatement } from "../statements/bind-statement.ts";
import { bindDataset } from "./bind-dataset.ts";
import { Binding, Unbound } from "./binding.ts";
import type { BoundStep } from "./bound.ts";
import { knownColumns } from "./known-columns.ts";

/** A pipeline's code, read and bound: problems, or everything that is needed to run it. */
export interface BoundPipeline {
  readonly problems: readonly PipelineProblem[];
  /** Those that could be bound, in the order in which they run. */
  readonly steps: readonly BoundStep[];
}

/** It writes nothing but temporary tables without rows, on a connection of its own. */
export async function bindPipeline(
  warehouse: Warehouse,
  { where, pipeline, sources, configuration }: PipelineCode,
  signal: AbortSignal,
): Promise<BoundPipeline> {
  const sql = await loadSql();
  const connection = await warehouse.connect();
  try {
    return await interruptible(connection, signal, async () => {
      const known = await knownColumns(warehouse, connection);
      const { catalog, schema, environment } = where;
      const plan = planPipeline(sql, sources, { catalog, schema, configuration, known });
      if (plan.problems) return { problems: plan.problems, steps: [] };
      const binding = new Binding(pipeline, { warehouse, connection, environment, signal });
      const steps: BoundStep[] = [];
      const unbound = new Set<string>();
      for (const { dataset, statement } of plan.steps) {
        const reads = statement ? statement.reads : dataset.feeding.flatMap((feeding) => feeding.reads);
        // What reads something wrong cannot be judged.
        const isJudged = !reads.some((name) => unbound.has(name));
        try {
          if (!isJudged) throw new Unbound();
          if (dataset) steps.push(await bindDataset(binding, dataset));
          else steps.push({ statement, bound: await bindStatement(binding, statement) });
        } catch (error) {
          if (!(error instanceof Unbound)) throw error;
          for (const name of statement ? statement.writes : [dataset.name]) unbound.add(name);
        }
      }
      return { problems: binding.problems, steps };
    });
  } finally {
    connection.closeSync();
  }
}
