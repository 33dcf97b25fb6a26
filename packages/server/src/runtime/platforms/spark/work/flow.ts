import { ConsumptionFlowInput } from "@lakehelm/contract";
import { type FlowShape, flowShape } from "@lakehelm/contract/changes";
import type { ValidationError } from "@lakehelm/contract/schema";
import { countedSentence } from "@lakehelm/contract/text";
import {
  DataProblem,
  type FlowFinding,
  type FlowPlanRequest,
  type FlowRequest,
  type FlowResult,
} from "@lakehelm/engine";
import {
  type ConsumptionFlow,
  createSchema,
  dateOf,
  type FlowStep,
  guardSentence,
  loadSqlParser,
  planFlow,
  readFlow,
  replacingRows,
  setShape,
  tagStatements,
  targetColumns,
  unmatchedTable,
  views,
} from "@lakehelm/flows";
import type { SparkColumn } from "@lakehelm/spark-connect";
import { plainName, quoteIdentifier, readTableName, sqlName } from "@lakehelm/sql/names";
import { checkQuality } from "./flow-quality.ts";
import { createRebuilt, findTarget, finishRebuild, prepareTarget } from "./flow-target.ts";
import { noRows, type RowCounts } from "./history.ts";
import { sameContent } from "./same-content.ts";
import type { ApplyMetadata } from "./script.ts";
import { requireSafe } from "./script-statement.ts";
import type { WorkSession } from "./work-session.ts";

/** Reads the request with the rules of code generation; all problems at once. */
async function readRequest(
  session: WorkSession,
  { scope, flow: body }: FlowPlanRequest,
): Promise<{ readonly flow: ConsumptionFlow; readonly shape: FlowShape }> {
  const errors: ValidationError[] = [];
  const request = ConsumptionFlowInput.check(body, [], errors);
  if (errors.length > 0)
    throw new DataProblem(errors.map(({ loc, msg }) => `${loc.join(".")}: ${msg}.`).join(" "));
  const known = new Map<string, Record<string, string>>();
  for (const text of request.source_tables) {
    const name = readTableName(text, scope, "");
    if ("problem" in name) continue;
    const columns = await session.tableColumns(sqlName(name));
    if (columns) known.set(plainName(name), Object.fromEntries(columns.map((one) => [one.name, one.type])));
  }
  const { environment, catalog, schema } = scope;
  const defaults = {
    ...{ environment, catalog, schema, mode: "development" as const },
    ...{ host: null, secretScope: "", git: null, runAs: null },
  };
  const read = readFlow(request, defaults, await loadSqlParser(), known);
  if (read.problems) throw new DataProblem(read.problems.join(" "));
  for (const query of [read.flow.matched, read.flow.unmatched, read.flow.recheck])
    if (query) requireSafe(query.text);
  return { flow: read.flow, shape: flowShape(request) };
}

/** Why the cluster could not run a flow. Reads no rows. A table that does not exist yet is no problem. */
export async function planFlowRun(session: WorkSession, request: FlowPlanRequest): Promise<FlowFinding> {
  try {
    const { flow, shape } = await readRequest(session, request);
    const { facts, before = null } = await findTarget(session, flow, shape);
    return { problem: null, target: { facts, before } };
  } catch (error) {
    if (!(error instanceof DataProblem) || error.retryable) throw error;
    return { problem: error.message };
  }
}

/**
 * Runs the statements that a generated notebook would run, one transaction each. A run that is killed at any step and repeated
 * has the same result.
 */
export async function runFlow(
  session: WorkSession,
  run: FlowRequest,
  applyMetadata: ApplyMetadata,
  now: () => string,
  log: (level: "info" | "warn", text: string) => void,
): Promise<FlowResult> {
  const { flow, shape } = await readRequest(session, run);
  requireDate(run, flow);
  const { businessDate } = run;
  await session.rows(createSchema(flow));
  const prepared = await prepareTarget(session, flow, shape, run, log);
  if (businessDate !== null) {
    await session.rows(
      `CREATE OR REPLACE TEMP VIEW ${views.run} AS SELECT DATE'${businessDate}' AS business_date`,
    );
  }
  const plan = planFlow(flow);
  const remarks: Remark[] = [];
  const steps = { session, businessDate, remarks };
  const read = await runSteps(steps, plan.read);
  const rows = prepared.isRebuilt
    ? await rebuild(steps, flow, shape)
    : await runSteps(steps, plan.publish, (step) => isUnchanged(session, flow, step, businessDate));
  if (!prepared.isRebuilt && !prepared.isRecorded) await session.rows(setShape(flow, shape));
  const kept = await runSteps(steps, plan.keep);
  const tags = tagStatements(flow);
  if (tags.length > 0) await applyMetadata(tags.join(";\n"));
  const hasChanged = prepared.isAltered || rows.inserted + rows.updated + rows.deleted > 0;
  const failedChecks = await checkQuality(session, flow, now(), hasChanged, run.maxDrift);
  return {
    ...rows,
    duplicates: read.duplicates + rows.duplicates,
    remarks,
    unmatched: kept.inserted,
    failedChecks,
    changed: [
      ...(hasChanged ? [plainName(flow.target)] : []),
      ...(kept.inserted + kept.updated + kept.deleted > 0 ? [plainName(unmatchedTable(flow.target))] : []),
    ],
  };
}

function requireDate({ businessDate }: FlowRequest, flow: ConsumptionFlow): void {
  if (businessDate === null) return;
  if (!flow.businessDate) {
    throw new DataProblem(
      `The flow ${JSON.stringify(flow.name)} has no business_date_column, so it cannot be run for a date.`,
    );
  }
  const time = Date.parse(`${businessDate}T00:00:00Z`);
  if (!Number.isNaN(time) && new Date(time).toISOString() === `${businessDate}T00:00:00.000Z`) return;
  throw new DataProblem(`business_date: ${JSON.stringify(businessDate)} is not a date such as 2026-03-01.`);
}

/** Publishes into a new table, which then replaces the target in one commit. */
async function rebuild(context: StepContext, flow: ConsumptionFlow, shape: FlowShape): Promise<StepCounts> {
  const { session } = context;
  const removed = await session.number(`SELECT count(*) FROM ${sqlName(flow.target)}`);
  const rebuilt = await createRebuilt(session, flow);
  const published = await runSteps(context, planFlow(rebuilt).publish);
  await finishRebuild(session, flow, shape);
  return { ...published, deleted: removed };
}

type Remark = FlowResult["remarks"][number];

interface StepContext {
  readonly session: WorkSession;
  readonly businessDate: string | null;
  readonly remarks: Remark[];
}

interface StepCounts extends RowCounts {
  readonly duplicates: number;
}

const nothing: StepCounts = { ...noRows, duplicates: 0 };

async function runSteps(
  context: StepContext,
  steps: readonly FlowStep[],
  isUnchanged: (step: FlowStep) => Promise<boolean> = async () => false,
): Promise<StepCounts> {
  let sum = nothing;
  for (const step of steps) {
    const { only } = step;
    if (only !== undefined && (only === "with a date") !== (context.businessDate !== null)) continue;
    if (await isUnchanged(step)) continue;
    const { inserted, updated, deleted, duplicates } = await runStep(context, step);
    sum = {
      inserted: sum.inserted + inserted,
      updated: sum.updated + updated,
      deleted: sum.deleted + deleted,
      duplicates: sum.duplicates + duplicates,
    };
  }
  return sum;
}

async function runStep({ session, businessDate, remarks }: StepContext, step: FlowStep): Promise<StepCounts> {
  switch (step.kind) {
    case "view": {
      const { view, sql, date } = step;
      const rows =
        date !== undefined && businessDate !== null
          ? `SELECT * FROM (\n${sql}\n) WHERE ${date} = DATE'${businessDate}'`
          : sql;
      await session.rows(`CREATE OR REPLACE TEMP VIEW ${view} AS ${rows}`);
      return nothing;
    }
    case "guard": {
      const found = await session.number(step.sql);
      if (found !== 0) throw new DataProblem(guardSentence(found, step));
      return nothing;
    }
    case "count": {
      const duplicates = await session.number(step.sql);
      if (duplicates > 0) remarks.push({ level: step.level, text: countedSentence(duplicates, step.remark) });
      return { ...nothing, duplicates };
    }
    case "merge": {
      const [row] = await session.rows(step.sql);
      const [, updated, deleted, inserted] = (row ?? []).map(Number);
      return { ...nothing, inserted: inserted ?? 0, updated: updated ?? 0, deleted: deleted ?? 0 };
    }
    case "statement":
      await session.rows(step.sql);
      return nothing;
    case "table": {
      await session.rows(step.sql);
      await addNewColumns(session, step.table, step.view);
      return nothing;
    }
  }
}

async function addNewColumns(session: WorkSession, table: string, view: string): Promise<void> {
  const existing = (await session.tableColumns(table)) ?? [];
  const isNew = ({ name }: SparkColumn) =>
    !existing.some((one) => one.name.toLowerCase() === name.toLowerCase());
  const added = (await session.columns(`SELECT * FROM ${view}`)).filter(isNew);
  if (added.length === 0) return;
  const columns = added.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`);
  await session.rows(`ALTER TABLE ${table} ADD COLUMNS (${columns.join(", ")})`);
}

/** A replaced table that would get the same rows is left unchanged, so that its triggers do not fire. */
async function isUnchanged(
  session: WorkSession,
  flow: ConsumptionFlow,
  { kind }: FlowStep,
  businessDate: string | null,
): Promise<boolean> {
  if (flow.publishing !== "replace" || kind !== "merge") return false;
  const names = targetColumns(flow)
    .map(({ name }) => quoteIdentifier(name))
    .join(", ");
  const where =
    flow.businessDate && businessDate !== null
      ? ` WHERE ${dateOf(flow.businessDate)} = DATE'${businessDate}'`
      : "";
  return sameContent(
    session,
    `SELECT ${names} FROM ${sqlName(flow.target)}${where}`,
    `SELECT ${names} FROM ${replacingRows(flow)}`,
  );
}
