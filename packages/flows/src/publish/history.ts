import { plainName, quoteIdentifier, sqlName } from "@lakehelm/sql/names";
import { allEqual, descending, freeName, keyHash, lines, quotedNames, sameValues } from "../expressions.ts";
import { type ConsumptionFlow, type FlowColumn, keyOf, views } from "../flow.ts";
import { insertClause, merge, updateClause } from "../merge.ts";
import type { FlowStep } from "../step.ts";
import { isCurrent, targetColumns, validFrom, validTo } from "../target-columns.ts";
import { ageColumn, otherColumns, rankColumn, rankedQuery, withCtes } from "./ranking.ts";

/**
 * SCD 2 with a sequence: the history of every key in the run is recomputed from the new and the existing rows, with one version
 * for each value of the sequence. So late rows are inserted in order, and repeated rows change nothing.
 */
export function historySteps(flow: ConsumptionFlow, sequence: FlowColumn): FlowStep[] {
  const all = targetColumns(flow);
  const [target, source] = [freeName("target", all), freeName("source", all)];
  return [
    {
      kind: "guard",
      name: "without_sequence",
      about: "A version begins at its sequence, so every row needs one.",
      sql: `SELECT count(*) AS found\nFROM ${views.rows}\nWHERE ${quoteIdentifier(sequence.name)} IS NULL`,
      failure: `rows have no ${sequence.name}, which orders the history of ${plainName(flow.target)}. Nothing was written.`,
    },
    {
      kind: "view",
      name: "changes",
      about:
        "The timeline of each key in the run. Of two rows with the same sequence, the run's row wins. Rows that the table already has are left out.",
      view: views.changes,
      sql: changes(flow, sequence),
    },
    {
      kind: "merge",
      name: "publish",
      about: "Only rows that differ are merged: a run without changes commits nothing.",
      sql: merge({
        table: flow.target,
        rows: views.changes,
        target,
        source,
        on: allEqual(target, source, versionKey(flow)),
        clauses: [
          updateClause(source, quotedNames(versionValues(flow))),
          insertClause(
            source,
            all.map(({ name }) => name),
          ),
        ],
      }),
    },
  ];
}

/** The identity of a version: its key and its start. */
const versionKey = (flow: ConsumptionFlow): FlowColumn[] => [
  ...keyOf(flow),
  ...targetColumns(flow).filter(({ name }) => name === validFrom),
];

const versionValues = (flow: ConsumptionFlow): FlowColumn[] => [
  ...flow.columns.filter(({ isKey }) => !isKey),
  ...targetColumns(flow).filter(({ name }) => name === validTo || name === isCurrent),
];

function changes(flow: ConsumptionFlow, sequence: FlowColumn): string {
  const key = keyOf(flow);
  const columns = quotedNames(flow.columns);
  const all = targetColumns(flow);
  const [kept, incoming] = [freeName("kept", all), freeName("incoming", all)];
  const at = quoteIdentifier(sequence.name);
  const keys = quotedNames(key).join(", ");
  const ctes = {
    versions: [
      `SELECT\n${lines([flow.recheck ? ageColumn : `1 AS ${ageColumn}`, ...columns])}`,
      `FROM ${views.rows}`,
      "UNION ALL",
      `SELECT\n${lines([`3 AS ${ageColumn}`, ...columns])}`,
      `FROM ${sqlName(flow.target)} AS ${kept}`,
      "WHERE EXISTS (",
      `  SELECT 1 FROM ${views.rows} AS ${incoming}`,
      `  WHERE ${allEqual(incoming, kept, key).join("\n    AND ")}`,
      ")",
    ].join("\n"),
    ranked: rankedQuery(
      "versions",
      [...quotedNames(key), at],
      [ageColumn, ...otherColumns(flow).map(descending)],
    ),
    time_line: [
      "SELECT",
      lines([
        ...columns,
        `${at} AS ${validFrom}`,
        `lead(${at}) OVER (PARTITION BY ${keys} ORDER BY ${at}) AS ${validTo}`,
      ]),
      "FROM ranked",
      `WHERE ${rankColumn} = 1`,
    ].join("\n"),
    marked: `SELECT\n  *,\n  ${validTo} IS NULL AS ${isCurrent}\nFROM time_line`,
  };
  const surrogateKey = flow.surrogateKey
    ? [`${keyHash(versionKey(flow))} AS ${quoteIdentifier(flow.surrogateKey)}`]
    : [];
  return withCtes(
    ctes,
    [
      `SELECT\n${lines([...surrogateKey, ...columns, validFrom, validTo, isCurrent])}`,
      `FROM marked AS ${incoming}`,
      "WHERE NOT EXISTS (",
      `  SELECT 1 FROM ${sqlName(flow.target)} AS ${kept}`,
      `  WHERE ${allEqual(kept, incoming, versionKey(flow)).join("\n    AND ")}`,
      `    AND ${sameValues(kept, incoming, versionValues(flow), "    ")}`,
      ")",
    ].join("\n"),
  );
}
