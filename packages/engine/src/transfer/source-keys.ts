import { quote } from "../warehouse/names.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { castColumn } from "./column-cast.ts";
import { readRows, sinceOf } from "./ingest-reading.ts";
import type { IngestRun } from "./ingest-run.ts";
import { rejectField } from "./rejects.ts";
import { createStage, rejectedKeys, stagedRows, stageRejectedKeys } from "./stage.ts";
import type { createStagingSink } from "./staging-sink.ts";

/** All keys of the source, including those of rejected rows. */
export interface SourceKeys {
  /** False if the keys of some rows could not be read: then it is unknown which rows are gone. */
  readonly isComplete: boolean;
  /** The table with the keys, in wire types. It is the stage of the run if the run has read the whole source. */
  readonly stage: string;
  /** SQL: the keys in the types of the table, with those of the rows that the run has accepted. */
  readonly relation: (accepted: string) => string;
}

type ReadRows = Pick<ReturnType<typeof createStagingSink>, "rejected" | "rejects">;

/** The keys of the run's rows, if it has read the whole source; otherwise they are read now. */
export async function readSourceKeys(
  run: IngestRun,
  read: ReadRows,
  context: RequestContext,
): Promise<SourceKeys> {
  const { connection, keys, request } = run;
  const columns = run.columns.filter(({ name }) => keys.includes(name));
  const all = keys.map(quote).join(", ");
  const isPart = sinceOf(run) !== undefined;
  const stage = isPart ? "incoming_keys" : stagedRows;
  let sink = read;
  if (isPart) {
    await createStage(connection, columns, { table: stage });
    context.log("info", `reading all keys of ${request.dataset.source} to find deleted rows.`);
    sink = await readRows(run, { table: stage, columns, since: undefined }, context);
  }
  const withKeys = sink.rejects.filter(({ row }) => keys.every((key) => Object.hasOwn(row, key)));
  const unread = sink.rejected - withKeys.length;
  if (unread > 0) {
    run.warn(
      `${unread} rejected ${unread === 1 ? "row" : "rows"} of ${request.dataset.source} could not be read, not even the key. Rows that are gone from the source are deleted when all of its rows can be read.`,
    );
  }
  await stageRejectedKeys(connection, withKeys, keys);
  const staged = columns.map((column) => `${castColumn(column)} AS ${quote(column.name)}`);
  const rejected = columns.map(
    (column) => `TRY_CAST(${rejectField(column)} AS ${column.type}) AS ${quote(column.name)}`,
  );
  return {
    isComplete: unread === 0,
    stage,
    relation(accepted) {
      // A row that was deleted after it was read is deleted by the next run.
      const ofRows = isPart ? ` UNION ALL SELECT ${all} FROM ${accepted}` : "";
      return `(SELECT ${all} FROM (SELECT ${staged.join(", ")} FROM ${stage})${ofRows} UNION ALL SELECT ${all} FROM (SELECT ${rejected.join(", ")} FROM ${rejectedKeys}))`;
    },
  };
}
