import { quoteIdentifier, sqlName } from "@lakehelm/sql/names";
import { allEqual, freeName, keyHash, lines, qualified, quotedNames, sameValues } from "../expressions.ts";
import { type ConsumptionFlow, keyOf, ownPrefix, views } from "../flow.ts";
import { insertClause, merge } from "../merge.ts";
import type { FlowStep } from "../step.ts";
import { isCurrent, targetColumns, validFrom, validTo } from "../target-columns.ts";
import { goneColumn, missingKeySteps } from "./missing-keys.ts";
import { duplicatesStep, rankColumn, rankedRows, withCtes } from "./ranking.ts";

const closes = `${ownPrefix}closes`;

/**
 * SCD 2 without a sequence: a row that differs from the current version closes that version, and is valid from this run
 * on.
 */
export function historyByRunSteps(flow: ConsumptionFlow): FlowStep[] {
  const key = keyOf(flow);
  const all = targetColumns(flow);
  const [target, source] = [freeName("target", all), freeName("source", all)];
  return [
    duplicatesStep(flow, { ranked: rankedRows(flow) }),
    ...(flow.missingKeys ? missingKeySteps(flow, flow.missingKeys) : []),
    {
      kind: "view",
      name: "changes",
      about: `Keys that are new or differ from their current version, each twice: to close that version, and as the next one.${flow.missingKeys ? " Then the keys that are gone, to close their version." : ""}`,
      view: views.changes,
      sql: changes(flow),
    },
    {
      kind: "merge",
      name: "publish",
      about: "Closes the versions that changed and inserts the new ones, in one commit.",
      sql: merge({
        table: flow.target,
        rows: views.changes,
        target,
        source,
        on: [...allEqual(target, source, key), qualified(target, isCurrent), qualified(source, closes)],
        clauses: [
          [
            "WHEN MATCHED THEN UPDATE SET",
            `  ${validTo} = ${qualified(source, validFrom)},`,
            `  ${isCurrent} = false`,
          ].join("\n"),
          insertClause(
            source,
            all.map(({ name }) => name),
            {
              when: `NOT ${qualified(source, closes)}`,
              values: new Map([
                [validTo, "CAST(NULL AS TIMESTAMP)"],
                [isCurrent, "true"],
              ]),
            },
          ),
        ],
      }),
    },
  ];
}

function changes(flow: ConsumptionFlow): string {
  const key = keyOf(flow);
  const others = flow.columns.filter(({ isKey }) => !isKey);
  const all = targetColumns(flow);
  const [kept, incoming] = [freeName("kept", all), freeName("incoming", all)];
  const version = all.filter(({ name }) => name === validFrom);
  const ctes = {
    ranked: rankedRows(flow),
    versions: [
      `SELECT\n${lines([...quotedNames(flow.columns), `now() AS ${validFrom}`])}`,
      `FROM ranked AS ${incoming}`,
      `WHERE ${rankColumn} = 1`,
      "  AND NOT EXISTS (",
      `    SELECT 1 FROM ${sqlName(flow.target)} AS ${kept}`,
      `    WHERE ${[...allEqual(kept, incoming, key), qualified(kept, isCurrent)].join("\n      AND ")}`,
      ...(others.length > 0 ? [`      AND ${sameValues(kept, incoming, others, "      ")}`] : []),
      "  )",
    ].join("\n"),
  };
  const surrogateKey = flow.surrogateKey
    ? [`${keyHash([...key, ...version])} AS ${quoteIdentifier(flow.surrogateKey)}`]
    : [];
  const gone = flow.missingKeys
    ? [
        "UNION ALL",
        "SELECT",
        lines([
          ...(flow.surrogateKey ? [quoteIdentifier(flow.surrogateKey)] : []),
          ...quotedNames(flow.columns),
          `now() AS ${validFrom}`,
          `true AS ${closes}`,
        ]),
        `FROM ${views.stored}`,
        `WHERE ${goneColumn}`,
      ]
    : [];
  return withCtes(
    ctes,
    [
      `SELECT\n${lines([...surrogateKey, ...quotedNames(flow.columns), validFrom, closes])}`,
      "FROM versions",
      `CROSS JOIN (VALUES (true), (false)) AS twice (${closes})`,
      ...gone,
    ].join("\n"),
  );
}
