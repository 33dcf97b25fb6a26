import { schemaName, sqlName } from "@lakehelm/sql/names";
import { schemasCode } from "../../notebook.ts";
import { pythonBlock } from "../../text/python.ts";
import { type CodeFeatures, spaced } from "../code-layout.ts";
import type { HttpSync } from "./http-sync.ts";

/** The notebook's SQL statements, by the names of their Python constants. */
export interface HttpStatements {
  readonly CREATE_STATE: string;
  readonly CREATE_REJECTS: string;
  readonly REMEMBER: string;
  readonly REJECT: string;
  readonly RESOLVE: string;
  readonly FORGET?: string;
}

/**
 * A row of the state table records that an item (a key, or one of several equal rows) was acknowledged with the content
 * that `row_key` hashes. The greatest `mark` is the watermark, so one commit per batch records all progress.
 */
export function httpStatements({ state, rejects }: HttpSync, features: CodeFeatures): HttpStatements {
  return {
    CREATE_STATE: `CREATE TABLE IF NOT EXISTS ${sqlName(state)} (
  target STRING, item STRING, row_key STRING, mark STRING
) USING DELTA`,
    CREATE_REJECTS: `CREATE TABLE IF NOT EXISTS ${sqlName(rejects)} (
  target STRING, row_key STRING, content STRING, reason STRING, rejected_at TIMESTAMP
) USING DELTA`,
    REMEMBER: `MERGE INTO ${sqlName(state)} AS known USING lakehelm_acknowledged AS acknowledged
ON known.target = acknowledged.target AND known.item = acknowledged.item
WHEN MATCHED THEN UPDATE SET row_key = acknowledged.row_key, mark = acknowledged.mark
WHEN NOT MATCHED THEN INSERT (target, item, row_key, mark)
  VALUES (acknowledged.target, acknowledged.item, acknowledged.row_key, acknowledged.mark)`,
    REJECT: `MERGE INTO ${sqlName(rejects)} AS known USING lakehelm_refused AS refused
ON known.target = refused.target AND known.row_key = refused.row_key
WHEN NOT MATCHED THEN INSERT (target, row_key, content, reason, rejected_at)
  VALUES (refused.target, refused.row_key, refused.content, refused.reason, current_timestamp())`,
    RESOLVE: `MERGE INTO ${sqlName(rejects)} AS known USING lakehelm_resolved AS resolved
ON known.target = resolved.target AND known.row_key = resolved.row_key
WHEN MATCHED THEN DELETE`,
    ...(features.watermark !== "none" && {
      FORGET: `MERGE INTO ${sqlName(state)} AS known USING lakehelm_outdated AS outdated
ON known.target = outdated.target AND known.item = outdated.item
WHEN MATCHED THEN DELETE`,
    }),
  };
}

/** Python: the lakehouse tables with acknowledged and refused rows. */
export const stateCode = ({ state }: Pick<HttpSync, "state">, statements: HttpStatements): string =>
  spaced(
    Object.entries(statements)
      .map(([name, statement]) => `${name} = ${pythonBlock(statement)}`)
      .concat("", schemasCode([schemaName(state)]), "spark.sql(CREATE_STATE)", "spark.sql(CREATE_REJECTS)")
      .join("\n"),
    `
def remember(rows):
    """Records rows that the endpoint has acknowledged."""
    if rows:
        rows = spark.createDataFrame(rows, "target string, item string, row_key string, mark string")
        rows.createOrReplaceTempView("lakehelm_acknowledged")
        spark.sql(REMEMBER)`,
    `
def reject(rows):
    """Keeps each refused row once."""
    if rows:
        rows = spark.createDataFrame(rows, "target string, row_key string, content string, reason string")
        rows.dropDuplicates(["row_key"]).createOrReplaceTempView("lakehelm_refused")
        spark.sql(REJECT)`,
    `
def refused_rows(table):
    return spark.table(REJECTS).where(F.col("target") == table["target"])`,
    `
def resolve(table, refused):
    """Removes rejects that were sent again, and not refused again."""
    refused = spark.createDataFrame([(row_key,) for row_key in refused], "row_key string")
    refused_rows(table).join(refused, "row_key", "left_anti").createOrReplaceTempView("lakehelm_resolved")
    spark.sql(RESOLVE)`,
    statements.FORGET
      ? `
def forget(table, mark):
    """Removes old entries: only rows at the watermark, or without one, are read again."""
    known = spark.table(STATE).where(F.col("target") == table["target"])
    outdated = known.where((F.col("item") == "bound") | (F.col("mark") != F.lit(mark)))
    outdated.createOrReplaceTempView("lakehelm_outdated")
    spark.sql(FORGET)`
      : "",
  );
