import type { Run } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { sql } from "kysely";
import type { HistoryStart } from "../../core/store/history-page.ts";
import { type ListParameters, listParameters, listSlots } from "../../core/store/list-parameters.ts";
import type { Store } from "../../core/store/store.ts";
import { runColumns, runOf } from "./run-row.ts";

export interface RunFilter {
  readonly status?: Run["status"] | undefined;
  readonly job?: string | undefined;
  /** The name of the job when the run was queued. */
  readonly name?: string | undefined;
  readonly environmentId?: string | undefined;
  readonly environmentIds?: readonly string[] | undefined;
  /** `createdAfter` is included, `createdBefore` is not. */
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
}

/** An id begins with the time of its run, so a range of times is a range of ids: about, because clocks differ. */
const slackMs = 3_600_000;

function idAt(time: string, shiftMs: number): string {
  const hex = Math.max(0, Date.parse(time) + shiftMs)
    .toString(16)
    .padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

type Page = {
  status: string;
  job: string;
  name: string;
  environment: string;
  before: string;
  from: string;
  created_after: string;
  created_before: string;
  limit: number;
} & ListParameters;

/** Which filters apply; `environments` is the size of a list of environments. */
interface PageShape {
  readonly status: boolean;
  readonly job: boolean;
  readonly name: boolean;
  readonly environmentId: boolean;
  readonly environments: number;
  readonly oldestFirst: boolean;
}

export function createRunPages(store: Store) {
  const prepare = (filter: PageShape) =>
    store.prepare((db, v: Page) => {
      let query = db
        .selectFrom("runs")
        .select(runColumns)
        .where("id", "<", v.before)
        .where("id", filter.oldestFirst ? ">" : ">=", v.from)
        .where("queued_at", ">=", v.created_after)
        .where("queued_at", "<", v.created_before);
      if (filter.status) query = query.where("status", "=", v.status);
      if (filter.job) query = query.where("job_id", "=", v.job);
      if (filter.name) {
        query = query
          .where(sql<boolean>`substr(runs.name, 1, 200) = substr(cast(${v.name} as text), 1, 200)`)
          .where("name", "=", v.name);
      }
      if (filter.environmentId) query = query.where("environment_id", "=", v.environment);
      if (filter.environments > 0) {
        query = query.where("environment_id", "in", listSlots(v, filter.environments));
      }
      return query.orderBy("id", filter.oldestFirst ? "asc" : "desc").limit(v.limit);
    });
  const pages = new Map<string, ReturnType<typeof prepare>>();

  return async function page(
    { status, job, name, environmentId, environmentIds, createdAfter, createdBefore }: RunFilter,
    { after, oldestFirst }: HistoryStart,
    limit: number,
  ) {
    if (job?.includes("\0") || after?.value.includes("\0") || environmentIds?.length === 0) return [];
    const some = environmentIds && listParameters(environmentIds);
    const has = {
      environments: some?.size ?? 0,
      status: status !== undefined,
      job: job !== undefined,
      name: name !== undefined,
      environmentId: environmentId !== undefined,
      oldestFirst,
    };
    const key = JSON.stringify(has);
    const query = pages.get(key) ?? prepare(has);
    pages.set(key, query);
    const values = {
      status: status ?? "",
      job: job ?? "",
      name: name === undefined ? "" : encodeJson(name),
      environment: environmentId ?? "",
    };
    // Ids contain no "~", so all of them sort before it.
    const newest = createdBefore === undefined ? "~" : idAt(createdBefore, slackMs);
    const oldest = createdAfter === undefined ? "" : idAt(createdAfter, -slackMs);
    const ranges = {
      before: after && !oldestFirst && after.value < newest ? after.value : newest,
      from: after && oldestFirst && after.value > oldest ? after.value : oldest,
      created_after: createdAfter ?? "",
      // Digits only: the order of other characters depends on the locale of the database.
      created_before: createdBefore ?? "9999",
    };
    const rows = await store.all(query({ ...values, ...some?.parameters, ...ranges, limit }));
    return rows.map((row) => runOf(row).run);
  };
}
