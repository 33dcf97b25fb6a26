import { flowDeleteCommand } from "@lakehelm/contract/changes";
import { plainName, quoteIdentifier, sqlName } from "@lakehelm/sql/names";
import { allEqual, freeName, lines, qualified, quotedNames } from "../expressions.ts";
import { type ConsumptionFlow, isHistory, keyOf, type MissingKeys, ownPrefix, views } from "../flow.ts";
import type { FlowStep } from "../step.ts";
import { isCurrent, targetColumns } from "../target-columns.ts";
import { dateOf } from "./business-date.ts";

/** Whether the key of a stored row is missing from the run. */
export const goneColumn = `${ownPrefix}gone`;
const found = `${ownPrefix}found`;

/** In a smaller table, a few rows already are a large share. */
const leastRows = 10;

/** The stored rows with a mark if their key is missing, and a guard against a source that has lost its rows. */
export const missingKeySteps = (flow: ConsumptionFlow, { maxShare }: MissingKeys): FlowStep[] => [
  {
    kind: "view",
    name: "stored",
    about: `The ${isHistory(flow) ? "current versions" : "rows"} of the table, and whether the run does not bring their key.`,
    view: views.stored,
    sql: stored(flow),
    // A run for one date has no rows of other dates.
    ...(flow.businessDate && { date: dateOf(flow.businessDate) }),
  },
  {
    kind: "guard",
    name: "gone",
    about: "A source that has lost its rows must not empty the table.",
    sql: [
      `SELECT CASE`,
      `    WHEN ${maxShare > 0 ? `count(*) >= ${leastRows} AND ` : ""}count_if(${goneColumn}) > count(*) * ${maxShare} THEN count_if(${goneColumn})`,
      `    ELSE 0`,
      `  END AS found`,
      `FROM ${views.stored}`,
    ].join("\n"),
    failure: `rows of ${plainName(flow.target)} would be ${isHistory(flow) ? "closed" : "deleted"}, more than the ${Math.round(maxShare * 10_000) / 100} % that max_delete_share allows. Nothing was written. Check whether the tables that matched_sql reads have lost their rows. If they are meant to go, set max_delete_share to 1 for one run.`,
    command: flowDeleteCommand(flow.name),
  },
];

function stored(flow: ConsumptionFlow): string {
  const key = keyOf(flow);
  const all = targetColumns(flow);
  const [kept, incoming] = [freeName("kept", all), freeName("incoming", all)];
  return [
    "SELECT",
    lines([...all.map(({ name }) => qualified(kept, name)), `${incoming}.${found} IS NULL AS ${goneColumn}`]),
    `FROM ${sqlName(flow.target)} AS ${kept}`,
    `LEFT JOIN (`,
    `  SELECT DISTINCT ${[...quotedNames(key), `true AS ${found}`].join(", ")}`,
    `  FROM ${views.rows}`,
    `) AS ${incoming}`,
    `  ON ${allEqual(kept, incoming, key).join("\n    AND ")}`,
    ...(isHistory(flow) ? [`WHERE ${kept}.${quoteIdentifier(isCurrent)}`] : []),
  ].join("\n");
}
