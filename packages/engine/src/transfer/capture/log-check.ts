import type { ChangeLog } from "../../connectors/source/change-log.ts";
import type { ConnectorSource } from "../../connectors/source/source.ts";
import type { EngineRequests } from "../../protocol/requests.ts";
import type { ConnectionFinding, Dataset } from "../../protocol/transfer.ts";
import { parseTableName } from "../../warehouse/names.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import { transferredColumns } from "../transferred-columns.ts";
import { type DatasetRecord, readDatasetRecord, readLogRecord, requireOwnSlot } from "./capture-record.ts";
import { capturedDataset } from "./captured-dataset.ts";
import { lossOf, lostLog } from "./lost-log.ts";

/**
 * Checks whether the next run can continue where the last run ended. Each function returns findings, or throws a
 * DataProblem with the way out.
 */
export async function checkLog(
  { scope, connector, datasets }: EngineRequests["check"][0],
  source: Pick<ConnectorSource, "describe">,
  log: ChangeLog,
  context: RequestContext,
): Promise<readonly (() => Promise<ConnectionFinding[]>)[]> {
  const warehouse = await context.warehouse(scope.environment);
  const record = await readLogRecord(warehouse, scope.catalog, connector, context.signal);
  const read: { readonly dataset: Dataset; readonly known: DatasetRecord | undefined }[] = [];
  for (const dataset of datasets) {
    const table = parseTableName(dataset.target, scope);
    const known = (await warehouse.hasTable(table))
      ? await readDatasetRecord(warehouse, table.catalog, dataset, context.signal)
      : undefined;
    read.push({ dataset, known });
  }
  const names = datasets.map(({ source }) => source);
  const isOwn = (record?.publication ?? log.names.publication) === log.names.publication;
  return [
    async () => {
      const sentence = await log.checkTables(names, isOwn && (record?.ownsPublication ?? false));
      return [{ ok: true, sentence }];
    },
    async () => {
      const state = await log.state(record);
      const known = read.flatMap(({ dataset, known }) =>
        known ? [{ source: dataset.source, position: known.position }] : [],
      );
      const slot = { server: state.server, slot: log.names.slot };
      await requireOwnSlot(warehouse, connector, slot, context.signal);
      const loss = lossOf(state, known);
      if (loss !== undefined) throw lostLog(connector, loss);
      return [{ ok: true, sentence: await log.checkReader() }];
    },
    ...read.map(({ dataset, known }) => async () => {
      const description = await source.describe(dataset.source, dataset.target);
      const captured = capturedDataset(dataset, description, await log.identity(dataset.source));
      const columns = transferredColumns(description, captured).columns.map(({ name }) => name);
      const definition = await log.define(dataset.source, columns);
      const gap = definition && known && (await log.compare(dataset.source, columns, known.definition));
      if (!gap) return [];
      const sentence = `the next run reads all rows of ${dataset.source} again, because the log may lack changes: ${gap.reason}`;
      return [{ ok: true, sentence }];
    }),
  ];
}
