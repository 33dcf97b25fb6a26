import { setImmediate as turn } from "node:timers/promises";
import { type Job, memoryListFields } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Kysely } from "kysely";
import { pageEnd, pageInMemory } from "../../core/store/list-in-memory.ts";
import { type ListParameters, listParameters, listSlots } from "../../core/store/list-parameters.ts";
import type { ListRequest } from "../../core/store/list-request.ts";
import type { Store } from "../../core/store/store.ts";
import type { Tables } from "../../core/store/tables.ts";
import { parsed } from "./job-rows.ts";

interface JobFilter {
  readonly kind?: Job["kind"] | undefined;
  readonly environmentId?: string | undefined;
  readonly environmentIds?: readonly string[] | undefined;
  readonly name?: string | undefined;
  /** `createdAfter` is included, `createdBefore` is not. */
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
}

export interface JobViews {
  get(id: string): Promise<Job | undefined>;
  /** Oldest first. */
  page(
    filter: Pick<JobFilter, "kind" | "environmentId" | "environmentIds">,
    skip: number,
    limit: number,
  ): Promise<{ jobs: Job[]; total: number }>;
  /** The same with other filters, an order or a cursor: reads the names of all jobs that match the filter. */
  search(filter: JobFilter, request: ListRequest): Promise<JobPage>;
}

interface JobPage {
  readonly jobs: Job[];
  readonly total: number;
  readonly next_cursor?: string | null;
}

/** SQLite reads in this thread, so a search reads this many jobs, then lets others run. */
const stretch = 1_000;

/** Jobs as the API shows them, each with its last run. */
export function createJobViews(store: Store): JobViews {
  type Values = {
    id: string;
    kind: string;
    environment: string;
    name: string;
    created_after: string;
    created_before: string;
    skip: number;
    limit: number;
  } & ListParameters;
  /** Which filters apply; `environments` is the size of a list of environments. */
  interface Shape {
    readonly kind?: boolean;
    readonly environmentId?: boolean;
    readonly environments?: number;
    readonly name?: boolean;
    readonly created?: boolean;
  }
  const jobs = (shape: Shape & { readonly id?: boolean; readonly ids?: number }) =>
    store.prepare((db, v: Values) => {
      let query = db
        .selectFrom("jobs")
        .leftJoin("runs", (join) =>
          join.on("runs.id", "=", (eb) =>
            eb
              .selectFrom("runs as last")
              .select("last.id")
              .whereRef("last.job_id", "=", "jobs.id")
              // A pipeline of another environment may have had the same id before.
              .whereRef("last.environment_id", "=", "jobs.environment_id")
              .orderBy("last.id", "desc")
              .limit(1),
          ),
        )
        .select([
          "jobs.id",
          "jobs.environment_id",
          "jobs.kind",
          "jobs.subject",
          "jobs.name",
          "jobs.definition",
          "jobs.paused",
          "jobs.next_at",
          "jobs.problem",
          "jobs.failures",
          "jobs.created_at",
          "runs.id as run_id",
          "runs.status",
          "runs.ended_at",
        ]);
      if (shape.id) return query.where("jobs.id", "=", v.id);
      if (shape.ids) return query.where("jobs.id", "in", listSlots(v, shape.ids));
      if (shape.kind) query = query.where("jobs.kind", "=", v.kind);
      if (shape.environmentId) query = query.where("jobs.environment_id", "=", v.environment);
      if (shape.environments) {
        query = query.where("jobs.environment_id", "in", listSlots(v, shape.environments));
      }
      return query.orderBy("jobs.created_at").orderBy("jobs.id").limit(v.limit).offset(v.skip);
    });
  const matching = (db: Kysely<Tables>, shape: Shape, v: Omit<Values, "id" | "skip" | "limit">) => {
    let query = db.selectFrom("jobs");
    if (shape.kind) query = query.where("kind", "=", v.kind);
    if (shape.environmentId) query = query.where("environment_id", "=", v.environment);
    if (shape.environments) query = query.where("environment_id", "in", listSlots(v, shape.environments));
    if (shape.name) query = query.where("name", "=", v.name);
    if (shape.created) {
      query = query.where("created_at", ">=", v.created_after).where("created_at", "<", v.created_before);
    }
    return query;
  };
  const count = (shape: Shape) =>
    store.prepare((db, v: Omit<Values, "id" | "skip" | "limit">) =>
      matching(db, shape, v).select((eb) => eb.fn.countAll<number>().as("n")),
    );
  const briefs = (shape: Shape) =>
    store.prepare((db, v: Omit<Values, "skip">) =>
      matching(db, shape, v)
        .select(["id", "name", "created_at", "paused"])
        .where("id", ">", v.id)
        .orderBy("id")
        .limit(v.limit),
    );
  const prepared = (shape: Shape) => ({ page: jobs(shape), count: count(shape), briefs: briefs(shape) });
  const byId = jobs({ id: true });
  const byIds = new Map<number, ReturnType<typeof jobs>>();
  const queries = new Map<string, ReturnType<typeof prepared>>();
  const unfiltered = { kind: "", environment: "", name: "", created_after: "", created_before: "9999" };
  const none = { id: "", ...unfiltered, skip: 0, limit: 1 };

  type Row = NonNullable<Awaited<ReturnType<typeof store.one<ReturnType<typeof byId>["result"]>>>>;
  const viewOf = ({ run_id, status, ended_at, kind, definition, paused, name, ...row }: Row): Job => ({
    ...row,
    name: String(parsed(name)),
    kind: kind as Job["kind"],
    definition: parsed(definition) as Job["definition"],
    paused: paused === null ? null : (parsed(paused) as Job["paused"]),
    last_run:
      run_id === null
        ? null
        : { id: run_id, status: status as NonNullable<Job["last_run"]>["status"], ended_at },
  });

  return {
    async get(id) {
      if (id.includes("\0")) return undefined;
      const row = await store.one(byId({ ...none, id }));
      return row && viewOf(row);
    },
    async page(filter, skip, limit) {
      const found = queryOf(filter);
      if (!found) return { jobs: [], total: 0 };
      const { query, values } = found;
      const rows = await store.all(query.page({ ...none, ...values, skip, limit }));
      const total = Number((await store.one(query.count(values)))?.n ?? 0);
      return { jobs: rows.map(viewOf), total };
    },
    async search(filter, request) {
      const found = await allBriefs(filter);
      const fields = memoryListFields.jobs;
      const { kind, environmentId, environmentIds } = filter;
      const list = `jobs ${JSON.stringify([kind, environmentId, environmentIds])}`;
      const page = pageInMemory(list, found, { fields, idOf: briefKey }, request);
      return { jobs: await viewsOf(page.items.map(({ id }) => id)), ...pageEnd(page) };
    },
  };

  function queryOf(filter: JobFilter) {
    const { kind, environmentId, environmentIds, name, createdAfter, createdBefore } = filter;
    if (environmentIds?.length === 0) return undefined;
    const some = environmentIds && listParameters(environmentIds);
    const shape = {
      kind: kind !== undefined,
      environmentId: environmentId !== undefined,
      environments: some?.size ?? 0,
      name: name !== undefined,
      created: createdAfter !== undefined || createdBefore !== undefined,
    };
    const query = queries.getOrInsertComputed(JSON.stringify(shape), () => prepared(shape));
    const values = {
      kind: kind ?? "",
      environment: environmentId ?? "",
      name: name === undefined ? "" : encodeJson(name),
      created_after: createdAfter ?? "",
      created_before: createdBefore ?? "9999",
      ...some?.parameters,
    };
    return { query, values };
  }

  async function allBriefs(filter: JobFilter): Promise<JobBrief[]> {
    const found = queryOf(filter);
    const briefs: JobBrief[] = [];
    for (let id = ""; found; ) {
      const rows = await store.all(found.query.briefs({ ...found.values, id, limit: stretch }));
      for (const { id, name, created_at, paused } of rows) {
        const status = paused === null ? "active" : "paused";
        briefs.push({ id, name: String(parsed(name)), created_at, status });
      }
      id = rows.at(-1)?.id ?? "";
      if (rows.length < stretch) break;
      await turn();
    }
    return briefs;
  }

  /** The jobs in the order of `ids`. */
  async function viewsOf(ids: readonly string[]): Promise<Job[]> {
    if (ids.length === 0) return [];
    const { size, parameters } = listParameters(ids);
    const query = byIds.getOrInsertComputed(size, (count) => jobs({ ids: count }));
    const rows = await store.all(query({ ...none, ...parameters }));
    const views = new Map(rows.map((row) => [row.id, viewOf(row)]));
    return ids.flatMap((id) => views.get(id) ?? []);
  }
}

interface JobBrief {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly status: "active" | "paused";
}

/** Oldest first. */
const briefKey = ({ created_at, id }: JobBrief) => `${created_at} ${id}`;
