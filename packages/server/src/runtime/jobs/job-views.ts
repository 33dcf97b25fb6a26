import type { Job } from "@lakehelm/contract";
import type { Store } from "../../core/store/store.ts";
import { parsed } from "./job-rows.ts";

interface JobFilter {
  readonly kind?: Job["kind"] | undefined;
  readonly environmentId?: string | undefined;
}

export interface JobViews {
  get(id: string): Promise<Job | undefined>;
  /** Oldest first. */
  page(filter: JobFilter, skip: number, limit: number): Promise<{ jobs: Job[]; total: number }>;
}

/** Jobs as the API shows them, each with its last run. */
export function createJobViews(store: Store): JobViews {
  type Values = { id: string; kind: string; environment: string; skip: number; limit: number };
  const jobs = (shape: { readonly [Key in keyof JobFilter | "id"]?: boolean }) =>
    store.prepare((db, v: Values) => {
      let query = db
        .selectFrom("jobs")
        .leftJoin("runs", (join) =>
          join.on("runs.id", "=", (eb) =>
            eb
              .selectFrom("runs as last")
              .select("last.id")
              .whereRef("last.job_id", "=", "jobs.id")
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
      if (shape.kind) query = query.where("jobs.kind", "=", v.kind);
      if (shape.environmentId) query = query.where("jobs.environment_id", "=", v.environment);
      return query.orderBy("jobs.created_at").orderBy("jobs.id").limit(v.limit).offset(v.skip);
    });
  const count = (shape: { readonly [Key in keyof JobFilter]?: boolean }) =>
    store.prepare((db, v: Pick<Values, "kind" | "environment">) => {
      let query = db.selectFrom("jobs").select((eb) => eb.fn.countAll<number>().as("n"));
      if (shape.kind) query = query.where("kind", "=", v.kind);
      if (shape.environmentId) query = query.where("environment_id", "=", v.environment);
      return query;
    });
  const prepared = (shape: { readonly [Key in keyof JobFilter]?: boolean }) => ({
    page: jobs(shape),
    count: count(shape),
  });
  const byId = jobs({ id: true });
  const ofAll = prepared({});
  const ofKind = prepared({ kind: true });
  const ofEnvironment = prepared({ environmentId: true });
  const ofBoth = prepared({ kind: true, environmentId: true });
  const none = { id: "", kind: "", environment: "", skip: 0, limit: 1 };

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
    async page({ kind, environmentId }, skip, limit) {
      const ofOne = kind === undefined ? ofEnvironment : ofKind;
      const query =
        kind === undefined && environmentId === undefined
          ? ofAll
          : kind !== undefined && environmentId !== undefined
            ? ofBoth
            : ofOne;
      const values = { kind: kind ?? "", environment: environmentId ?? "" };
      const rows = await store.all(query.page({ ...none, ...values, skip, limit }));
      const total = Number((await store.one(query.count(values)))?.n ?? 0);
      return { jobs: rows.map(viewOf), total };
    },
  };
}
