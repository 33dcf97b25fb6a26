import type { ChangeLog, LogRecord } from "../../connectors/source/change-log.ts";
import { openSource } from "../../connectors/source-registry.ts";
import type { EngineRequests } from "../../protocol/requests.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import { connectorContext } from "../connector-context.ts";
import { readLogRecord, removeLogRecord } from "./capture-record.ts";

type LogRequest = EngineRequests["endCapture"][0];

/** Removes the slot and the publication, if the connector created them. */
export async function endCapture(
  request: LogRequest,
  context: RequestContext,
): Promise<EngineRequests["endCapture"][1]> {
  const { scope, connector } = request;
  const ended = await withRecordedLog(request, context, async (log, record) => {
    const left = await log.end(record);
    const warehouse = await context.warehouse(scope.environment);
    await removeLogRecord(warehouse, scope.catalog, connector, context.signal);
    return { removed: true, left };
  });
  return ended ?? { removed: false };
}

/** Undefined if the connector has never begun to read a log. */
async function withRecordedLog<Result>(
  { scope, connector, connection }: LogRequest,
  context: RequestContext,
  work: (log: ChangeLog, record: LogRecord) => Promise<Result>,
): Promise<Result | undefined> {
  const warehouse = await context.warehouse(scope.environment);
  const record = await readLogRecord(warehouse, scope.catalog, connector, context.signal);
  if (!record) return undefined;
  // The connection may no longer ask for the log.
  const asked = { ...connection, config: { ...connection.config, capture: "log" } };
  const source = await openSource(asked, await connectorContext(connection, context, warehouse));
  try {
    const log = source.changeLog?.(connector);
    return log && (await work(log, record));
  } finally {
    await source.close();
  }
}
