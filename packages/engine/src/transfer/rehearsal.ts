import { randomUUID } from "node:crypto";
import type { Reject } from "../protocol/transfer.ts";
import { literal, quote } from "../warehouse/names.ts";
import { countRows, rowText } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { parseRow } from "../warehouse/row-json.ts";
import { createChangeSet } from "./change-set.ts";
import { connectionRedaction } from "./connection-redaction.ts";
import type { DeliverySelection } from "./delivery-rows.ts";
import type { DeliveryRun } from "./delivery-run.ts";

/** More rows would keep locks in the other system for too long. */
const mostRows = 100_000;

/** Thrown where a run stores its rejects, which every target does before it commits. */
class RehearsalEnd extends Error {
  readonly rejects: readonly Reject[];
  constructor(rejects: readonly Reject[]) {
    super("rehearsal");
    this.rejects = rejects;
  }
}

/**
 * Finds the rows that the target would refuse: only the target knows its types and constraints, so the rows are written
 * to it and rolled back. A string says why that cannot be done.
 */
export async function rehearse(
  run: DeliveryRun,
  { relation, deletedKeys, whole }: DeliverySelection,
  context: RequestContext,
): Promise<readonly Reject[] | string> {
  const { connection, warehouse, target, columns, keys, request } = run;
  const rows = await countRows(connection, relation);
  if (rows === 0) return [];
  if (target.isWriteOnly) return "rows that were sent cannot be taken back";
  if (rows > mostRows) return `the run would write more than ${mostRows} rows`;
  if (!(await target.canRehearse?.(whole))) {
    // A file, or a table that the run creates with types that fit.
    if (!target.canRehearse || !(await target.existingRows())) return rowsWithoutKey(run, relation);
    return "the run changes or empties the table first";
  }
  const changes = createChangeSet({
    ...{ warehouse, connection, columns, keys, relation, deletedKeys, rows, whole },
    run: `preview-${randomUUID()}`,
    reject: async (rejects) => {
      throw new RehearsalEnd(rejects);
    },
  });
  const checkpoint = { value: null, time: context.now(), run: "preview" };
  try {
    await target.write(changes, checkpoint, () => {}, context.signal);
    throw new Error("A target committed a preview.");
  } catch (error) {
    if (!(error instanceof RehearsalEnd)) throw error;
    const redaction = connectionRedaction(request.connection);
    return error.rejects.map(({ reason, row }) => ({ reason: redaction.text(reason), row }));
  } finally {
    await changes.clear();
  }
}

/** An upsert needs complete keys. */
async function rowsWithoutKey(
  { connection, columns, keys, request }: DeliveryRun,
  relation: string,
): Promise<readonly Reject[]> {
  if (request.dataset.strategy !== "upsert" || keys.length === 0) return [];
  const missing = keys.map((key) => `WHEN ${quote(key)} IS NULL THEN ${literal(key)}`).join(" ");
  const found = await connection.runAndReadAll(
    `SELECT CASE ${missing} END AS key, ${rowText(columns)} FROM ${relation} WHERE ${keys.map((key) => `${quote(key)} IS NULL`).join(" OR ")}`,
  );
  return found.getRowsJson().map(([key, row]) => ({
    reason: `the primary key "${String(key)}" is NULL`,
    row: parseRow(String(row)),
  }));
}
