import {
  decideFlowRun,
  type FlowRunDecision,
  type FlowShape,
  type FlowTargetFacts,
  foreignColumns,
  isSame,
  refusal,
} from "@lakehelm/contract/changes";
import { DataProblem, type FlowRequest } from "@lakehelm/engine";
import {
  addColumn,
  type ConsumptionFlow,
  createTable,
  dropColumns,
  dropRebuilt,
  metadataStatements,
  rebuiltFlow,
  replaceTarget,
  shapeProperty,
  targetColumns,
} from "@lakehelm/flows";
import { plainName, quoteIdentifier, sqlName } from "@lakehelm/sql/names";
import type { WorkSession } from "./work-session.ts";

interface FoundTarget {
  readonly facts: FlowTargetFacts;
  /** The version of a flow that wrote the table; undefined: the table does not say. */
  readonly before: FlowShape | undefined;
  /** Columns that take no NULL. */
  readonly required: readonly string[];
}

/** What the cluster knows of the table that a flow writes. */
export async function findTarget(
  session: WorkSession,
  flow: ConsumptionFlow,
  shape: FlowShape,
): Promise<FoundTarget> {
  const name = sqlName(flow.target);
  const existing = await session.tableColumns(name);
  if (!existing) return { facts: { columns: null }, before: undefined, required: [] };
  const wanted = targetColumns(flow);
  const nulls = wanted.map(({ type }, at) => `CAST(NULL AS ${type.sql}) AS c${at}`);
  const types = await session.columns(`SELECT ${nulls.join(", ")}`);
  const differing = wanted.flatMap((column, at) => {
    const known = existing.find((one) => one.name.toLowerCase() === column.name.toLowerCase());
    const type = types[at]?.type;
    return known && known.type !== type ? [`${column.name} is ${known.type} instead of ${type}`] : [];
  });
  const properties = await session.rows(`SHOW TBLPROPERTIES ${name}`);
  const recorded = properties.find(([key]) => key === shapeProperty)?.[1];
  const before = typeof recorded === "string" ? (JSON.parse(recorded) as FlowShape) : undefined;
  // A query takes the cluster a good part of a second, and most runs find the table of the run before.
  const isEmpty =
    !isSame(before, shape) &&
    (await session.number(`SELECT count(*) FROM (SELECT 1 FROM ${name} LIMIT 1)`)) === 0;
  return {
    facts: { columns: existing.map((one) => one.name), differing, isEmpty },
    before,
    required: existing.filter(({ nullable }) => !nullable).map((one) => one.name),
  };
}

interface PreparedTarget {
  readonly isAltered: boolean;
  /** The rows are to replace the table. */
  readonly isRebuilt: boolean;
  /** The table says that this version of the flow wrote it. */
  readonly isRecorded: boolean;
}

/** Creates the target, or brings its columns to those of the flow. Throws a DataProblem that names the next step if it must not. */
export async function prepareTarget(
  session: WorkSession,
  flow: ConsumptionFlow,
  shape: FlowShape,
  { businessDate, fullRefresh = false, discardHistory = false }: FlowRequest,
  log: (level: "info" | "warn", text: string) => void,
): Promise<PreparedTarget> {
  const found = await findTarget(session, flow, shape);
  const options = { fullRefresh, discardHistory, isPartial: businessDate !== null };
  const decision = decideFlowRun(found.before, shape, found.facts, options);
  const name = plainName(flow.target);
  if (decision.action === "refuse")
    throw new DataProblem(refusal(name, flow.name, decision, options).sentence);
  const isRecorded = isSame(found.before, shape);
  if (decision.action === "rebuild") {
    const why = decision.reasons.length > 0 ? `: ${decision.reasons.join("; ")}` : "";
    log("info", `building ${name} again from its SELECT${why}.`);
    return { isAltered: true, isRebuilt: true, isRecorded };
  }
  if (decision.action === "create") {
    await session.rows(createTable(flow));
    return { isAltered: true, isRebuilt: false, isRecorded };
  }
  const foreign = foreignColumns(found.facts.columns ?? [], found.before, shape);
  if (!found.before && foreign.length > 0)
    log(
      "warn",
      `${name} has columns that the flow does not write, and their values stay as they are: ${foreign.join(", ")}.`,
    );
  return { isAltered: await alterTarget(session, flow, found, decision, log), isRebuilt: false, isRecorded };
}

async function alterTarget(
  session: WorkSession,
  flow: ConsumptionFlow,
  { required }: FoundTarget,
  { add, drop }: FlowRunDecision,
  log: (level: "info" | "warn", text: string) => void,
): Promise<boolean> {
  const isAmong = (names: readonly string[], one: string) =>
    names.some((name) => name.toLowerCase() === one.toLowerCase());
  if (drop.length > 0) {
    for (const sql of dropColumns(flow, drop)) await session.rows(sql);
    log("info", `dropped ${drop.join(", ")} from ${plainName(flow.target)}: the flow no longer has it.`);
  }
  for (const column of targetColumns(flow)) {
    if (isAmong(add, column.name)) await session.rows(addColumn(flow, column));
    else if (!column.notNull && isAmong(required, column.name))
      await session.rows(
        `ALTER TABLE ${sqlName(flow.target)} ALTER COLUMN ${quoteIdentifier(column.name)} DROP NOT NULL`,
      );
  }
  return add.length + drop.length > 0;
}

/** An empty table for the rows that are to replace those of the target. A killed run may have left one. */
export async function createRebuilt(session: WorkSession, flow: ConsumptionFlow): Promise<ConsumptionFlow> {
  const rebuilt = rebuiltFlow(flow);
  await session.rows(dropRebuilt(flow));
  await session.rows(createTable(rebuilt));
  return rebuilt;
}

/** One commit replaces the target. The descriptions are written afterwards, because a replaced table has none. */
export async function finishRebuild(
  session: WorkSession,
  flow: ConsumptionFlow,
  shape: FlowShape,
): Promise<void> {
  await session.rows(replaceTarget(flow, shape));
  for (const sql of metadataStatements(flow)) await session.rows(sql);
  await session.rows(dropRebuilt(flow));
}
