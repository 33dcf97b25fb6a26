import { countedSentence } from "@lakehelm/contract/text";
import {
  type ConsumptionFlow,
  countRows,
  createQuality,
  driftFailures,
  type FailedCheck,
  lastPassed,
  qualityChecks,
  qualityTable,
} from "@lakehelm/flows";
import { SparkError } from "@lakehelm/spark-connect";
import { sqlName, sqlString } from "@lakehelm/sql/names";
import type { WorkSession } from "./work-session.ts";

/** Checks the published table and stores the result. Messages show no rows: they may be personal data. */
export async function checkQuality(
  session: WorkSession,
  flow: ConsumptionFlow,
  at: string,
  hasChanged: boolean,
  maxDrift: number | null,
): Promise<FailedCheck[]> {
  const failures: FailedCheck[] = [];
  for (const { name, sql, failure, severity } of qualityChecks(flow)) {
    try {
      const found = await session.number(`SELECT count(*) FROM (\n${sql}\n)`);
      if (found > 0)
        failures.push({ text: `${name}: ${countedSentence(found, failure)}.`, severity, query: sql });
    } catch (error) {
      // For example, the parent table is missing.
      if (!(error instanceof SparkError)) throw error;
      failures.push({
        text: `${name}: could not be checked. ${error.message.split("\n", 1)[0]}`,
        severity,
      });
    }
  }
  const rows = await session.number(countRows(flow));
  await session.rows(createQuality(flow));
  const [last] = await session.rows(lastPassed(flow));
  if (last) failures.push(...driftFailures(flow, rows, Number(last[0]), maxDrift));
  await store(session, flow, { at, rows, failures, hasChanged });
  return failures;
}

/** A run that changed nothing and has the same result adds no row. */
async function store(
  session: WorkSession,
  flow: ConsumptionFlow,
  result: {
    readonly at: string;
    readonly rows: number;
    readonly failures: readonly FailedCheck[];
    readonly hasChanged: boolean;
  },
): Promise<void> {
  const { at, rows, failures, hasChanged } = result;
  const name = sqlName(qualityTable(flow.target));
  const text = failures.length === 0 ? "NULL" : sqlString(failures.map(({ text }) => text).join("\n"));
  const values = `TIMESTAMP${sqlString(at)}, ${rows}, ${failures.length === 0}, ${text}`;
  if (!hasChanged) {
    const same = `row_count = ${rows} AND passed = ${failures.length === 0} AND failures <=> ${text}`;
    const found = await session.number(
      `SELECT count(*) FROM (SELECT * FROM ${name} ORDER BY run_at DESC LIMIT 1) WHERE ${same}`,
    );
    if (found > 0) return;
  }
  await session.rows(`INSERT INTO ${name} VALUES (${values})`);
}
