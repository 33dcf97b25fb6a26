import { DataProblem } from "../protocol/problem.ts";
import type { FlowRequest, FlowResult } from "../protocol/requests.ts";
import { fullName } from "../warehouse/names.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import { plainMessage, type Warehouse } from "../warehouse/warehouse.ts";
import { type Published, readPublished } from "./flow-tables.ts";
import { publish } from "./publication.ts";
import { judge, keepVerdict } from "./quality-checks.ts";

type Context = Pick<RequestContext, "signal" | "crashPoint" | "now">;

/**
 * Runs a consumption flow: the statements that code generation would put into a notebook, in one transaction, so that the
 * target, what found no match and the versions of both change together or not at all. Then the target is checked.
 */
export async function runFlow(warehouse: Warehouse, run: FlowRequest, context: Context): Promise<FlowResult> {
  const published = await readPublished(run);
  requireDate(run, published);
  await warehouse.makeRoom(published.target);
  try {
    const done = await publishAll(warehouse, published, run, context);
    const verdict = await judge(warehouse, published, context.signal);
    await inTransaction(warehouse, context.signal, async (connection) => {
      const at = context.now();
      const isNew = await keepVerdict(connection, published, verdict, at, done.changed.length > 0);
      if (isNew) await warehouse.touch(connection, published.quality, at, "added");
    });
    return { ...done, failedChecks: verdict.failures };
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason;
    throw explained(published, error);
  }
}

const publishAll = (
  warehouse: Warehouse,
  published: Published,
  run: FlowRequest,
  { signal, crashPoint, now }: Context,
) =>
  inTransaction(warehouse, signal, async (connection) => {
    const { changed, ...counts } = await publish(warehouse, connection, published, run);
    const at = now();
    for (const { name, change } of changed) await warehouse.touch(connection, name, at, change);
    crashPoint("written");
    return { ...counts, changed: changed.map(({ name }) => fullName(name)) };
  });

function requireDate({ businessDate }: FlowRequest, { flow }: Published): void {
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

/** What DuckDB says of the caller's SQL or rows is told to the caller; anything else is a mistake of ours. */
function explained({ flow }: Published, error: unknown): unknown {
  const isTheirs =
    error instanceof Error &&
    !(error instanceof DataProblem) &&
    /^[A-Z][A-Za-z ]* Error: /.test(error.message);
  if (!isTheirs) return error;
  return new DataProblem(`The flow ${JSON.stringify(flow.name)} failed: ${plainMessage(error)}`, {
    cause: error,
  });
}
