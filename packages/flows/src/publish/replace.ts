import { quoteIdentifier } from "@lakehelm/sql/names";
import { comparable, freeName, keyHash, lines, qualified, quotedNames, valueType } from "../expressions.ts";
import { type ConsumptionFlow, keyOf, ownPrefix, views } from "../flow.ts";
import { insertClause, merge } from "../merge.ts";
import type { FlowStep } from "../step.ts";
import { targetColumns } from "../target-columns.ts";
import { dateOf } from "./business-date.ts";
import { duplicatesStep, rankColumn, rankedRows, withCtes } from "./ranking.ts";

/** Spark's default number of shuffle partitions. */
const parts = 200;
const part = `${ownPrefix}part`;
const replaced = `${ownPrefix}replaced`;

/** The rows that will be in the table. If there is a key, each key occurs once. */
export const replacingRows = (flow: ConsumptionFlow): string =>
  keyOf(flow).length > 0 ? views.latest : views.rows;

/** The view of the latest row of each key, with the columns of the table, and the number of other rows. */
export function latestSteps(flow: ConsumptionFlow): FlowStep[] {
  const key = keyOf(flow);
  if (key.length === 0) return [];
  const ctes = { ranked: rankedRows(flow) };
  const { surrogateKey } = flow;
  return [
    {
      kind: "view",
      name: "latest",
      about: "One row for each key. The other columns break ties, so that every run chooses the same row.",
      view: views.latest,
      sql: withCtes(
        ctes,
        [
          "SELECT",
          lines([
            ...(surrogateKey ? [`${keyHash(key)} AS ${quoteIdentifier(surrogateKey)}`] : []),
            ...quotedNames(flow.columns),
          ]),
          "FROM ranked",
          `WHERE ${rankColumn} = 1`,
        ].join("\n"),
      ),
    },
    duplicatesStep(flow, ctes),
  ];
}

/**
 * Replaces the table by the run's rows. A MERGE does this in one commit and, unlike an overwrite, keeps the clustering
 * of the table on open-source Delta. `ON false … NOT MATCHED BY SOURCE` would compare every row with every row: 85 s
 * for 60,000 rows. So each row of the table matches one of 200 part rows by its hash and is deleted. The parts of the
 * new rows are negative and match nothing.
 */
export function replaceSteps(flow: ConsumptionFlow): FlowStep[] {
  const whole = steps(flow, null);
  if (!flow.businessDate) return whole;
  const named = (name: string) => (name === "publish" ? "publish_date" : "changes_of_date");
  return [
    ...steps(flow, flow.businessDate).map((step) => ({
      ...step,
      name: named(step.name),
      only: "with a date" as const,
    })),
    ...whole.map((step) => ({ ...step, only: "without a date" as const })),
  ];
}

function steps(flow: ConsumptionFlow, date: ConsumptionFlow["businessDate"]): FlowStep[] {
  const all = targetColumns(flow);
  const [target, source] = [freeName("target", all), freeName("source", all)];
  const columns = all.map(({ name }) => name);
  const what = date ? "the table has for the date" : "the table has";
  return [
    {
      kind: "view",
      name: "changes",
      about: `A MERGE, because an overwrite would lose the table's clustering on open-source Delta. The new rows are followed by ${parts} marker rows: each row that ${what} matches one of them by its hash and is deleted.`,
      view: views.changes,
      sql: [
        "SELECT",
        lines([
          `-1 - ${partOf(flow)} AS ${part}`,
          ...(date ? [`CAST(NULL AS DATE) AS ${replaced}`] : []),
          ...columns.map(quoteIdentifier),
        ]),
        `FROM ${replacingRows(flow)}`,
        "UNION ALL",
        "SELECT",
        lines([
          part,
          ...(date ? [`business_date AS ${replaced}`] : []),
          ...all.map(({ name, type }) => `CAST(NULL AS ${valueType(type)}) AS ${quoteIdentifier(name)}`),
        ]),
        `FROM range(${parts}) AS parts (${part})`,
        ...(date ? [`CROSS JOIN ${views.run}`] : []),
      ].join("\n"),
    },
    {
      kind: "merge",
      name: "publish",
      about: `Deletes the rows that ${what} and inserts the rows of the run, in one commit.`,
      sql: merge({
        table: flow.target,
        rows: views.changes,
        target,
        source,
        on: [
          `${partOf(flow, target)} = ${qualified(source, part)}`,
          ...(date ? [`${dateOf(date, target)} = ${qualified(source, replaced)}`] : []),
        ],
        clauses: [
          "WHEN MATCHED THEN DELETE",
          insertClause(source, columns, { when: `${qualified(source, part)} < 0` }),
        ],
      }),
    },
  ];
}

const partOf = ({ columns }: ConsumptionFlow, alias?: string): string => {
  const values = columns.map(({ name, type }) =>
    comparable(alias ? qualified(alias, name) : quoteIdentifier(name), type),
  );
  return `pmod(hash(${values.join(", ")}), ${parts})`;
};
