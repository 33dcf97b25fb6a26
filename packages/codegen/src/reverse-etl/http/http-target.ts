import { httpFields, readConfig } from "@lakehelm/contract/connections";
import { shown } from "@lakehelm/contract/text";
import { titleProblem } from "@lakehelm/sql/names";
import type { SyncedTable } from "../synced-table.ts";
import type { TargetKind } from "../target-kind.ts";
import { limitFields } from "../target-limits.ts";
import { httpNotebook } from "./http-notebook.ts";

const fields = {
  ...httpFields,
  url: httpFields.url.refine((url) => (url.includes("{{") ? 'it must not contain "{{"' : undefined)),
};

export const httpTarget: TargetKind = (config, sources, { connector, state, rejects, defaults }) => {
  const { values, problems } = readConfig({ ...limitFields, ...fields }, config, "target_config");
  const { url, headers } = values;
  const tables = sources.map(({ table, source, suppressed }, at): SyncedTable => {
    const where = `table_configs[${at}]`;
    const problem = titleProblem(table.target);
    if (problem) problems.push(`${where}.target_name: ${shown(table.target)} cannot be used: ${problem}`);
    if (table.strategy === "replace") {
      problems.push(
        `${where}: an HTTP endpoint cannot be replaced in one step. Expected write_strategy "upsert" or "append".`,
      );
    }
    const { target, strategy, watermark, leftOut } = table;
    const keys = strategy === "append" ? [] : table.keys;
    return { name: table.target, source, schema: "", target, strategy, keys, watermark, leftOut, suppressed };
  });
  return {
    problems,
    choice: "Python's own HTTP client sends the rows: it needs no driver, so it works on serverless compute.",
    title: "an HTTP endpoint",
    isDatabase: false,
    notebook: () =>
      httpNotebook({
        connector,
        url,
        headers,
        tables,
        batchSize: values.batch_size,
        maxRejectShare: values.max_reject_share,
        state,
        rejects,
        defaults,
      }),
  };
};
