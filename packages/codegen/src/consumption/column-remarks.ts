import type { ConsumptionFlow, KnownColumns } from "@lakehelm/flows";

/** How far the columns of the caller's SQL were checked, for the evidence. */
export function columnRemarks(
  { matched, unmatched, recheck }: Pick<ConsumptionFlow, "matched" | "unmatched" | "recheck">,
  known: KnownColumns,
): { check: string; detail: string }[] {
  const queries = [matched, ...(unmatched ? [unmatched] : []), ...(recheck ? [recheck] : [])];
  const checked = [...new Set(queries.flatMap(({ tables }) => tables))].filter((table) => known.has(table));
  const chosen = [...new Set(queries.flatMap(({ chosenByName }) => chosenByName))];
  return [
    ...(checked.length > 0
      ? [`The platform's catalog has every column and field that the SQL reads from ${checked.join(", ")}.`]
      : []),
    ...(chosen.length > 0
      ? [
          `The catalog does not know the columns of ${chosen.join(", ")}: of its *, the target's columns are chosen by name when the notebook runs.`,
        ]
      : []),
  ].map((detail) => ({ check: "columns", detail }));
}
