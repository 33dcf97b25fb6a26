import type { ChangeLog } from "../../connectors/source/change-log.ts";
import type { EngineRequests } from "../../protocol/requests.ts";
import { parseTableName } from "../../warehouse/names.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import { readDatasetRecord, readLogRecord } from "./capture-record.ts";
import { lossOf, lostLog } from "./lost-log.ts";

/** Whether the next run can go on where the last one ended, as a sentence. Throws a DataProblem with the way out if not. */
export async function checkLog(
  { scope, connector, datasets }: EngineRequests["check"][0],
  log: ChangeLog,
  context: RequestContext,
): Promise<string> {
  const warehouse = await context.warehouse(scope.environment);
  const record = await readLogRecord(warehouse, scope.catalog, connector, context.signal);
  const state = await log.state(record);
  const read: { readonly source: string; readonly position: string }[] = [];
  for (const dataset of datasets) {
    const table = parseTableName(dataset.target, scope);
    const known = await readDatasetRecord(warehouse, table.catalog, dataset, context.signal);
    if (known && (await warehouse.hasTable(table))) read.push({ ...known, source: dataset.source });
  }
  const loss = lossOf(state, read);
  if (loss !== undefined) throw lostLog(connector, loss);
  return log.checkReader();
}
