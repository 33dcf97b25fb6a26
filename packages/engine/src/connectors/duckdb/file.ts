import { duckdbLogExtensions } from "../../warehouse/warehouse.ts";
import { requireNoLinkedLogs } from "../database-logs.ts";
import type { SourceContext } from "../source/context.ts";

/** The real path of a DuckDB file. Throws a DataProblem if one of its log files is a link. */
export async function resolveDuckdbFile(
  path: string,
  { resolvePath }: Pick<SourceContext, "resolvePath">,
): Promise<string> {
  const real = await resolvePath(path);
  await requireNoLinkedLogs(real, duckdbLogExtensions);
  return real;
}
