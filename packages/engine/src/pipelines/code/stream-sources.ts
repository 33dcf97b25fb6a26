import type { PipelineFlow } from "@lakehelm/sql/pipelines";
import { duckdbName, splitName } from "../storage.ts";
import { type Binder, BindingFailed } from "./binder.ts";
import { tablesIn } from "./table-substitution.ts";

/** A stream must be a table, or a view of this pipeline that reads a stream itself. */
export async function requireStreams(
  binder: Binder,
  { streams, location }: PipelineFlow,
  sql: string,
): Promise<void> {
  if (streams.length === 0) return;
  const { connection, snapshot } = binder.context;
  const tables = await tablesIn(connection, sql);
  for (const name of streams) {
    const dataset = binder.datasets.get(name);
    const known = splitName(name);
    const fail = (message: string): never => {
      binder.addProblem(location, message);
      throw new BindingFailed();
    };
    if (dataset?.kind === "view" && dataset.flows.every((flow) => flow.streams.length === 0)) {
      fail(`${name} is a view that does not read a stream, so it cannot be read as a stream.`);
    }
    if (!dataset && snapshot.kindOf(known) === "view") {
      fail(`${name} is a view, which cannot be read as a stream: read the table that it reads.`);
    }
    if (tables.filter((one) => one === duckdbName(name)).length > 1) {
      fail(`${name} is read twice, once as a stream: move one of them into a view.`);
    }
  }
}
