import { shown } from "@lakehelm/contract/text";
import { titleProblem } from "@lakehelm/sql/names";
import type { SyncedTable } from "../synced-table.ts";
import type { Target } from "../target.ts";
import { batchSize, maxRejectShare } from "../target-limits.ts";
import { httpNotebook } from "./http-notebook.ts";

/** An HTTP endpoint as a target. */
export const httpTarget: Target = (reader, sources, { connector, state, rejects }) => {
  reader.required("url");
  const url = reader.plain("url") ?? "";
  const headers = reader.options("headers");
  const size = batchSize(reader, 500);
  const share = maxRejectShare(reader);
  reader.refuseMisspelt(["url", "headers", "batch_size", "max_reject_share"]);

  const problems = [...addressProblems(url), ...Object.entries(headers).flatMap(headerProblems)];
  const tables = sources.map(({ table, source }, at): SyncedTable => {
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
    return { source, schema: "", target, strategy, keys, watermark, leftOut };
  });
  return {
    problems: [...reader.problems, ...problems],
    title: "an HTTP endpoint",
    packages: [],
    notebook: () =>
      httpNotebook({
        connector,
        url,
        headers,
        tables,
        batchSize: size,
        maxRejectShare: share,
        state,
        rejects,
      }),
  };
};

function addressProblems(url: string): string[] {
  if (url === "") return [];
  const protocol = URL.parse(url)?.protocol;
  return protocol === "https:" || protocol === "http:"
    ? []
    : [`target_config.url: ${shown(url)} is not an http or https address.`];
}

/** What the notebook sets itself, and what HTTP cannot carry. */
function headerProblems([name, value]: readonly [string, string]): string[] {
  const where = `target_config.headers: ${shown(name)}`;
  if (["content-type", "content-length", "idempotency-key", "host"].includes(name.toLowerCase()))
    return [`${where} is set by the connector itself.`];
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return [`${where} cannot be the name of a header.`];
  return /^[\x20-\x7e]*$/.test(value) ? [] : [`${where} has a value that a header cannot carry.`];
}
