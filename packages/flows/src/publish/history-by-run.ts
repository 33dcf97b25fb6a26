import { quoteIdentifier } from "@lakehelm/sql/literals";
import { sqlName } from "@lakehelm/sql/names";
import { allEqual, freeName, lines, names, of, sameValues, surrogate } from "../expressions.ts";
import { type Flow, keyOf, ownPrefix, views } from "../flow.ts";
import { insertClause, merge } from "../merge.ts";
import type { Step } from "../step.ts";
import { isCurrent, tableColumns, validFrom, validTo } from "../target-columns.ts";
import { rank, rankedRows, withParts } from "./ranking.ts";

const closes = `${ownPrefix}closes`;

/** SCD 2 without a sequence: a row that differs from the current one ends it, and is valid from this run on. */
export function historyByRunSteps(flow: Flow): Step[] {
  const key = keyOf(flow);
  const all = tableColumns(flow);
  const [target, source] = [freeName("target", all), freeName("source", all)];
  return [
    {
      kind: "view",
      name: "changes",
      about:
        "Keys that are new or differ from their current version, each twice: to end that version, and as the next.",
      view: views.changes,
      sql: changes(flow),
    },
    {
      kind: "merge",
      name: "publish",
      about: "Current versions that are no longer so end, and the new ones begin, in one commit.",
      sql: merge({
        table: flow.target,
        rows: views.changes,
        target,
        source,
        on: [...allEqual(target, source, key), of(target, isCurrent), of(source, closes)],
        clauses: [
          [
            "WHEN MATCHED THEN UPDATE SET",
            `  ${validTo} = ${of(source, validFrom)},`,
            `  ${isCurrent} = false`,
          ].join("\n"),
          insertClause(
            source,
            all.map(({ name }) => name),
            {
              when: `NOT ${of(source, closes)}`,
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

function changes(flow: Flow): string {
  const key = keyOf(flow);
  const others = flow.columns.filter(({ isKey }) => !isKey);
  const all = tableColumns(flow);
  const [kept, incoming] = [freeName("kept", all), freeName("incoming", all)];
  const version = all.filter(({ name }) => name === validFrom);
  const parts = {
    ranked: rankedRows(flow),
    versions: [
      `SELECT\n${lines([...names(flow.columns), `current_timestamp AS ${validFrom}`])}`,
      `FROM ranked AS ${incoming}`,
      `WHERE ${rank} = 1`,
      "  AND NOT EXISTS (",
      `    SELECT 1 FROM ${sqlName(flow.target)} AS ${kept}`,
      `    WHERE ${[...allEqual(kept, incoming, key), of(kept, isCurrent)].join("\n      AND ")}`,
      ...(others.length > 0 ? [`      AND ${sameValues(kept, incoming, others, "      ")}`] : []),
      "  )",
    ].join("\n"),
  };
  const surrogateKey = flow.surrogateKey
    ? [`${surrogate([...key, ...version])} AS ${quoteIdentifier(flow.surrogateKey)}`]
    : [];
  return withParts(
    parts,
    [
      `SELECT\n${lines([...surrogateKey, ...names(flow.columns), validFrom, closes])}`,
      "FROM versions",
      `CROSS JOIN (VALUES (true), (false)) AS twice (${closes})`,
    ].join("\n"),
  );
}
