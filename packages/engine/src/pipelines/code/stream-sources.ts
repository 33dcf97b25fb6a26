import type { PipelineFlow } from "@lakehelm/sql/pipelines";
import { duckdbName, splitName } from "../storage.ts";
import { type Binder, BindingFailed } from "./binder.ts";
import { tablesIn } from "./table-substitution.ts";

/** What is read as a stream has rows of its own, or is a view of this pipeline that reads a stream itself. */
export async function requireStreams(
  binding: Binder,
  { streams, location }: PipelineFlow,
  sql: string,
): Promise<void> {
  if (streams.length === 0) return;
  const { connection, snapshot } = binding.context;
  const tables = await tablesIn(connection, sql);
  for (const name of streams) {
    const dataset = binding.datasets.get(name);
    const known = splitName(name);
    const complain = (message: string): never => {
      binding.addProblem(location, message);
      throw new BindingFailed();
    };
    if (dataset?.kind === "view" && dataset.flows.every((flow) => flow.streams.length === 0)) {
      complain(`${name} is a view that reads no stream itself, so it cannot be read as one.`);
    }
    if (!dataset && snapshot.kindOf(known) === "view") {
      complain(`${name} is a view, which cannot be read as a stream: read the table that it reads.`);
    }
    if (tables.filter((one) => one === duckdbName(name)).length > 1) {
      complain(`${name} is read as a stream and once more: put one of the two into a view of its own.`);
    }
  }
}
