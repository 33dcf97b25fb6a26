import { DataProblem } from "../protocol/problem.ts";
import { requireUnreservedColumns } from "../protocol/reserved-columns.ts";
import type { Dataset, DatasetDescription } from "../protocol/transfer.ts";
import { isDuckdbType } from "../protocol/type-syntax.ts";
import { requireColumns, requireDistinctNames, sameName } from "../warehouse/relation.ts";
import { requireOrderedType } from "./watermark.ts";

/**
 * The columns to transfer. Throws a DataProblem if a key or the watermark is not among them, or has an unsuitable type.
 */
export function transferredColumns(description: DatasetDescription, dataset: Dataset) {
  const isLeftOut = (name: string) => dataset.leftOut.some((leftOut) => sameName(leftOut, name));
  const hidden = (description.hidden ?? []).filter(({ name }) => sameName(name, dataset.watermark ?? ""));
  const columns = [...description.columns, ...hidden].filter(({ name }) => !isLeftOut(name));
  if (columns.length === 0)
    throw new DataProblem(
      description.columns.length === 0
        ? `${dataset.source} has no columns, and a table needs one. Wait until it has some, or take the dataset out of the connector.`
        : `All columns of ${dataset.source} are left out as personal data. Keep one: change pii_columns, or set pii_suppressed to false.`,
    );
  requireDistinctNames(columns, dataset.source);
  requireUnreservedColumns(columns, dataset.source);
  for (const { name, type } of columns) {
    if (!isDuckdbType(type)) {
      throw new DataProblem(
        `The column ${JSON.stringify(name)} of ${dataset.source} has an unknown type: ${type.slice(0, 200)}.`,
      );
    }
  }
  const keys = requireColumns(columns, dataset.keys, "primary key", dataset.source);
  const [watermark] =
    dataset.watermark === null
      ? []
      : requireColumns(columns, [dataset.watermark], "watermark", dataset.source);
  for (const column of columns) if (column.name === watermark) requireOrderedType(column, dataset.source);
  const { primary_keys } = description;
  return {
    columns,
    keys,
    watermark,
    hasFileWatermark: hidden.length > 0,
    hasUniqueKeys:
      primary_keys.length > 0 &&
      primary_keys.every((key) => keys.some((name) => sameName(name, key))) &&
      columns.every(({ name, sourceEquality }) => sourceEquality !== "narrower" || !keys.includes(name)),
  };
}
