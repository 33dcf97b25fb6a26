import { quoteIdentifier, sqlName } from "@lakehelm/sql/names";
import { castTo, lines, quotedNames } from "./expressions.ts";
import { type ConsumptionFlow, recheckedTable, sameName, unmatchedTable, views } from "./flow.ts";
import { dateOf } from "./publish/business-date.ts";
import { historySteps } from "./publish/history.ts";
import { historyByRunSteps } from "./publish/history-by-run.ts";
import { ageColumn } from "./publish/ranking.ts";
import { latestSteps, replaceSteps } from "./publish/replace.ts";
import { upsertSteps } from "./publish/upsert.ts";
import type { FlowStep } from "./step.ts";
import { createRechecked, createUnmatched, keepSteps, leaveStep, stageRechecked } from "./unmatched-rows.ts";

/** The steps of a run in order, by phase. If a run is killed at any step, repeating it gives the same result. */
export interface FlowPlan {
  readonly read: readonly FlowStep[];
  readonly publish: readonly FlowStep[];
  readonly keep: readonly FlowStep[];
}

export function planFlow(flow: ConsumptionFlow): FlowPlan {
  const { unmatched, recheck } = flow;
  return {
    read: [
      queryView("matched", views.matched, flow.matched.text, "The rows to publish: matched_sql of the flow."),
      ...(unmatched ? unmatchedSteps(flow, unmatched) : []),
      ...(recheck ? recheckSteps(flow, recheck.text) : []),
      rowsStep(flow),
      ...(flow.publishing === "replace" ? latestSteps(flow) : []),
    ],
    publish: publishSteps(flow),
    keep: [...(recheck ? [leaveStep(flow)] : []), ...(unmatched ? keepSteps(flow, unmatched) : [])],
  };
}

function publishSteps(flow: ConsumptionFlow): FlowStep[] {
  if (flow.publishing === "replace") return replaceSteps(flow);
  if (flow.publishing === "upsert") return upsertSteps(flow);
  return flow.sequence ? historySteps(flow, flow.sequence) : historyByRunSteps(flow);
}

const queryView = (name: string, view: string, sql: string, about: string): FlowStep => ({
  kind: "view",
  name: `${name}_sql`,
  about,
  view,
  sql,
});

function unmatchedSteps(flow: ConsumptionFlow, query: NonNullable<ConsumptionFlow["unmatched"]>): FlowStep[] {
  const { businessDate } = flow;
  const dated = businessDate && query.columns.some((name) => sameName(name, businessDate.name));
  return [
    {
      ...queryView("unmatched", views.unmatched, query.text, "Rows without a match."),
      ...(dated && { date: dateOf(businessDate) }),
    },
    {
      kind: "table",
      name: "create_unmatched",
      about: "The table that keeps them. Its columns and their types come from the SELECT.",
      table: sqlName(unmatchedTable(flow.target)),
      view: views.unmatched,
      sql: createUnmatched(flow, query),
    },
  ];
}

const recheckSteps = (flow: ConsumptionFlow, text: string): FlowStep[] => [
  queryView("recheck", views.recheck, text, "Rows that were unmatched and match now."),
  {
    kind: "view",
    name: "rechecked",
    about: "The same rows with the types of the target.",
    view: views.rechecked,
    sql: `SELECT\n${lines(picked(flow))}\nFROM ${views.recheck}`,
    ...dateFilter(flow),
  },
  {
    kind: "statement",
    name: "clear_rechecked",
    about: "They are stored, so that exactly the published rows are removed from the unmatched table.",
    sql: createRechecked(flow),
  },
  {
    kind: "merge",
    name: "stage",
    about: "A MERGE that matches nothing inserts all rows.",
    sql: stageRechecked(flow),
  },
];

/** If a key is both matched and rechecked with the same sequence, the matched row wins. */
const rowsStep = (flow: ConsumptionFlow): FlowStep => ({
  kind: "view",
  name: "rows",
  about: "The rows of this run: columns chosen by name, with the types of the target.",
  view: views.rows,
  sql: [
    `SELECT\n${lines([...(flow.recheck ? [`1 AS ${ageColumn}`] : []), ...picked(flow)])}`,
    `FROM ${views.matched}`,
    ...(flow.recheck
      ? [
          "UNION ALL",
          `SELECT\n${lines([`2 AS ${ageColumn}`, ...quotedNames(flow.columns)])}`,
          `FROM ${sqlName(recheckedTable(flow.target))}`,
        ]
      : []),
  ].join("\n"),
  ...dateFilter(flow),
});

const picked = ({ columns }: ConsumptionFlow): string[] =>
  columns.map(({ name, type }) => `${castTo(quoteIdentifier(name), type)} AS ${quoteIdentifier(name)}`);

const dateFilter = ({ businessDate }: ConsumptionFlow) =>
  businessDate ? { date: dateOf(businessDate) } : {};
