import pg from "pg";
import { DataProblem } from "../../../protocol/problem.ts";
import type { PostgresSourceTable } from "../catalog.ts";
import type { PostgresSession } from "../session.ts";
import type { DefinedTable } from "./table-definition.ts";

export const qualifiedName = ({ schema, table }: Pick<PostgresSourceTable, "schema" | "table">): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;

interface LoggedDataset {
  readonly dataset: string;
  readonly table: PostgresSourceTable;
  /** The columns that are transferred. */
  readonly columns: readonly string[];
}

/** Throws a DataProblem with the statement that helps if the log does not have every change of every row that a copy reads. */
export function requireCompleteLog(
  { serverName, settings }: PostgresSession,
  publication: string,
  { dataset, table, columns }: LoggedDataset,
  { published, isPartitioned, children, hidesRows }: DefinedTable,
): void {
  const name = pg.escapeIdentifier(publication);
  const quoted = qualifiedName(table);
  const refuse = (sentence: string, statement: string): never => {
    throw new DataProblem(`${sentence} ${statement}`);
  };
  const addAgain = `Let the owner run: ALTER PUBLICATION ${name} DROP TABLE ${quoted}; ALTER PUBLICATION ${name} ADD TABLE ${quoted};`;
  if (published.missing.length > 0)
    refuse(
      `The publication ${publication} of ${serverName} does not publish every operation (${published.missing.join(", ")} ${published.missing.length === 1 ? "is" : "are"} missing), so changes of ${dataset} would be lost.`,
      `Let its owner run: ALTER PUBLICATION ${name} SET (publish = 'insert, update, delete, truncate');`,
    );
  if (isPartitioned && !published.viaRoot)
    refuse(
      `The publication ${publication} of ${serverName} has changes of ${dataset} under the names of its partitions, so they would be lost.`,
      `Let its owner run: ALTER PUBLICATION ${name} SET (publish_via_partition_root = true);`,
    );
  if (published.filter !== null)
    refuse(
      `The publication ${publication} of ${serverName} has only rows of ${dataset} that meet a condition, so changes of the others would be lost.`,
      addAgain,
    );
  const unpublished = published.columns
    ? columns.filter((column) => !published.columns?.includes(column))
    : [];
  if (unpublished.length > 0)
    refuse(
      `The publication ${publication} of ${serverName} does not have the column${unpublished.length === 1 ? "" : "s"} ${unpublished.join(", ")} of ${dataset}, so changes would be lost.`,
      `${addAgain} Or leave ${unpublished.length === 1 ? "it" : "them"} out, with pii_columns and pii_suppressed of the dataset.`,
    );
  if (children.length > 0)
    refuse(
      `${dataset} has child tables by inheritance (${children.slice(0, 5).join(", ")}), whose changes the log has under their own names.`,
      `Read it with another connector that has "capture": "query", or run ALTER TABLE ${children[0]} NO INHERIT ${quoted};`,
    );
  if (hidesRows)
    refuse(
      `Row-level security hides rows of ${dataset} from ${settings.user}, and the log has all of them, so a copy would lack rows.`,
      `Run ALTER ROLE ${pg.escapeIdentifier(settings.user)} BYPASSRLS; as an administrator.`,
    );
}
