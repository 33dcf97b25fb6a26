import { plainName, quoteIdentifier, sqlName } from "@lakehelm/sql/names";
import {
  allEqual,
  castTo,
  descending,
  freeName,
  keyHash,
  lines,
  quotedNames,
  sameValues,
  valueType,
} from "../expressions.ts";
import { type ConsumptionFlow, type FlowColumn, keyOf, ownPrefix, views } from "../flow.ts";
import { insertClause, merge, updateClause } from "../merge.ts";
import type { FlowStep } from "../step.ts";
import { isCurrent, targetColumns, validFrom, validTo } from "../target-columns.ts";
import { goneColumn, missingKeySteps } from "./missing-keys.ts";
import { ageColumn, duplicatesStep, otherColumns, rankColumn, rankedQuery, withCtes } from "./ranking.ts";

/**
 * SCD 2 with a sequence: the history of every key in the run is recomputed from the new and the existing rows, with one
 * version for each value of the sequence. So late rows are inserted in order, and repeated rows change nothing. If
 * several rows have the same sequence, the greatest row wins, whichever run brought it: a history does not depend on
 * how its rows were batched.
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
    duplicatesStep(flow, rankedVersions(flow, sequence)),
    ...(flow.missingKeys ? missingKeySteps(flow, flow.missingKeys) : []),
    {
      kind: "view",
      name: "changes",
      about: `The timeline of each key in the run. Of two rows with the same sequence, the greatest by its other columns wins. Rows that the table already has are left out.${flow.missingKeys ? " Then the current versions of keys that are gone, which end now." : ""}`,
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

/** When a version ended. A closed version keeps its end, unless its key exists again. */
const ended = `${ownPrefix}ended`;

/**
 * The versions of each key in the run, including those in the table, with their rank among rows of the same sequence.
 */
function rankedVersions(flow: ConsumptionFlow, sequence: FlowColumn): Record<string, string> {
  const key = keyOf(flow);
  const columns = quotedNames(flow.columns);
  const all = targetColumns(flow);
  const [kept, incoming] = [freeName("kept", all), freeName("incoming", all)];
  const at = quoteIdentifier(sequence.name);
  return {
    versions: [
      "SELECT",
      lines([
        flow.recheck ? ageColumn : `1 AS ${ageColumn}`,
        ...columns,
        `CAST(NULL AS ${valueType(sequence.type)}) AS ${ended}`,
      ]),
      `FROM ${views.rows}`,
      "UNION ALL",
      `SELECT\n${lines([`3 AS ${ageColumn}`, ...columns, `${validTo} AS ${ended}`])}`,
      `FROM ${sqlName(flow.target)} AS ${kept}`,
      "WHERE EXISTS (",
      `  SELECT 1 FROM ${views.rows} AS ${incoming}`,
      `  WHERE ${allEqual(incoming, kept, key).join("\n    AND ")}`,
      ")",
    ].join("\n"),
    ranked: rankedQuery(
      "versions",
      [...quotedNames(key), at],
      [
        // A row that is matched or stored is preferred to a rechecked one.
        ...(flow.recheck ? [`${ageColumn} = 2`] : []),
        ...otherColumns(flow).map(descending),
        ageColumn,
      ],
    ),
  };
}

function changes(flow: ConsumptionFlow, sequence: FlowColumn): string {
  const key = keyOf(flow);
  const columns = quotedNames(flow.columns);
  const all = targetColumns(flow);
  const [kept, incoming] = [freeName("kept", all), freeName("incoming", all)];
  const at = quoteIdentifier(sequence.name);
  const keys = quotedNames(key).join(", ");
  const next = `${ownPrefix}next`;
  const ctes = {
    ...rankedVersions(flow, sequence),
    ends: [
      "SELECT",
      lines([...columns, rankColumn, `max(${ended}) OVER (PARTITION BY ${keys}, ${at}) AS ${ended}`]),
      "FROM ranked",
    ].join("\n"),
    time_line: [
      "SELECT",
      lines([
        ...columns,
        ended,
        `${at} AS ${validFrom}`,
        `lead(${at}) OVER (PARTITION BY ${keys} ORDER BY ${at}) AS ${next}`,
      ]),
      "FROM ends",
      `WHERE ${rankColumn} = 1`,
    ].join("\n"),
    marked: [
      "SELECT",
      lines([
        ...columns,
        validFrom,
        `CASE WHEN ${next} IS NOT NULL THEN least(${next}, ${ended}) END AS ${validTo}`,
        `${next} IS NULL AS ${isCurrent}`,
      ]),
      "FROM time_line",
    ].join("\n"),
  };
  const surrogateKey = flow.surrogateKey
    ? [`${keyHash(versionKey(flow))} AS ${quoteIdentifier(flow.surrogateKey)}`]
    : [];
  const now = castTo("now()", sequence.type);
  const gone = flow.missingKeys
    ? [
        "UNION ALL",
        "SELECT",
        lines([
          ...(flow.surrogateKey ? [quoteIdentifier(flow.surrogateKey)] : []),
          ...columns,
          validFrom,
          `greatest(${validFrom}, ${now}) AS ${validTo}`,
          `false AS ${isCurrent}`,
        ]),
        `FROM ${views.stored}`,
        `WHERE ${goneColumn}`,
      ]
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
      ...gone,
    ].join("\n"),
  );
}
