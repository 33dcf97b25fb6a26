import { quoteIdentifier, sqlName } from "@lakehelm/sql/names";
import { allEqual, freeName, keyHash, lines, qualified, quotedNames, sameValues } from "../expressions.ts";
import { type ConsumptionFlow, keyOf, ownPrefix, views } from "../flow.ts";
import { insertClause, merge, updateClause } from "../merge.ts";
import type { FlowStep } from "../step.ts";
import { targetColumns } from "../target-columns.ts";
import { goneColumn, missingKeySteps } from "./missing-keys.ts";
import { duplicatesStep, rankColumn, rankedRows, withCtes } from "./ranking.ts";

const deleted = `${ownPrefix}deleted`;

/**
 * SCD 1: for each key, the row with the greatest sequence wins, within the run and compared with the table. If the flow
 * asks for it, the same MERGE deletes keys that are missing from the run.
 */
export function upsertSteps(flow: ConsumptionFlow): FlowStep[] {
  const key = keyOf(flow);
  const all = targetColumns(flow);
  const [target, source] = [freeName("target", all), freeName("source", all)];
  const others = flow.columns.filter(({ isKey }) => !isKey);
  return [
    duplicatesStep(flow, { ranked: rankedRows(flow) }),
    ...(flow.missingKeys ? missingKeySteps(flow, flow.missingKeys) : []),
    {
      kind: "view",
      name: "changes",
      about: `One row for each key. The other columns break ties, so that every run chooses the same row. Rows that the table already has are left out.${flow.missingKeys ? " Then the keys that are gone." : ""}`,
      view: views.changes,
      sql: changes(flow),
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
        on: allEqual(target, source, key),
        clauses: [
          ...(flow.missingKeys ? [`WHEN MATCHED AND ${qualified(source, deleted)} THEN DELETE`] : []),
          ...(others.length > 0 ? [updateClause(source, quotedNames(others))] : []),
          insertClause(
            source,
            all.map(({ name }) => name),
          ),
        ],
      }),
    },
  ];
}

function changes(flow: ConsumptionFlow): string {
  const key = keyOf(flow);
  const { sequence, surrogateKey, columns } = flow;
  const others = columns.filter(({ isKey }) => !isKey);
  const [kept, incoming] = [freeName("kept", columns), freeName("incoming", columns)];
  const unchanged = [
    ...(sequence
      ? [`NOT ${notOlder(qualified(incoming, sequence.name), qualified(kept, sequence.name))}`]
      : []),
    ...(others.length > 0 ? [sameValues(kept, incoming, others, "        ")] : []),
  ];
  const gone = flow.missingKeys
    ? [
        "UNION ALL",
        `SELECT\n${lines([...quotedNames(targetColumns(flow)), `true AS ${deleted}`])}`,
        `FROM ${views.stored}`,
        `WHERE ${goneColumn}`,
      ]
    : [];
  return withCtes(
    { ranked: rankedRows(flow) },
    [
      "SELECT",
      lines([
        ...(surrogateKey ? [`${keyHash(key)} AS ${quoteIdentifier(surrogateKey)}`] : []),
        ...quotedNames(columns),
        ...(flow.missingKeys ? [`false AS ${deleted}`] : []),
      ]),
      `FROM ranked AS ${incoming}`,
      `WHERE ${rankColumn} = 1`,
      "  AND NOT EXISTS (",
      `    SELECT 1 FROM ${sqlName(flow.target)} AS ${kept}`,
      `    WHERE ${allEqual(kept, incoming, key).join("\n      AND ")}`,
      ...(unchanged.length > 0 ? [`      AND (\n        ${unchanged.join("\n        OR ")}\n      )`] : []),
      "  )",
      ...gone,
    ].join("\n"),
  );
}

/** A row without a sequence is replaced by any row; a new row without a sequence replaces no row. */
const notOlder = (incoming: string, kept: string) => `coalesce(${incoming} >= ${kept}, ${kept} IS NULL)`;
