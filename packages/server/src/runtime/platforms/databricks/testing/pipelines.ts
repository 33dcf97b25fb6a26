import { FakeError, type Routes } from "./route.ts";

// biome-ignore lint/suspicious/noExplicitAny: the specification as the caller sent it
type Spec = any;

export interface FakePipeline {
  readonly pipeline_id: string;
  spec: Spec;
}

export interface FakeUpdate {
  readonly update_id: string;
  readonly pipeline_id: string;
  readonly created: number;
  readonly cause: string;
  readonly options: Readonly<Record<string, unknown>>;
  state: string;
}

const ended = new Set(["COMPLETED", "FAILED", "CANCELED"]);

/** Pipelines, updates and events. Updates change only when the test says so. A list has no specifications. */
export function pipelineRoutes(now: () => number = Date.now) {
  const pipelines = new Map<string, FakePipeline>();
  const updates: FakeUpdate[] = [];
  /** `update_id` → its events, oldest first. */
  const events = new Map<string, object[]>();
  /** The queries of deletes. */
  const deletions: Readonly<Record<string, string>>[] = [];
  /** What a test does when an update has begun. */
  const hooks: { begun?: (update: FakeUpdate) => void } = {};
  let last = 0;
  const newId = () => `00000000-0000-4000-8000-${String(++last).padStart(12, "0")}`;

  function find(id = ""): FakePipeline {
    const one = pipelines.get(id);
    if (one) return one;
    throw new FakeError(404, "RESOURCE_DOES_NOT_EXIST", `The specified pipeline ${id} was not found.`);
  }
  const updatesOf = (id: string) => updates.filter(({ pipeline_id }) => pipeline_id === id).reverse();
  const activeOf = (id: string) => updatesOf(id).find(({ state }) => !ended.has(state));

  function checked(body: Spec): Spec {
    const refuse = (text: string) => new FakeError(400, "INVALID_PARAMETER_VALUE", text);
    if (!(body.libraries?.length > 0)) throw refuse("Missing required field: libraries");
    for (const library of body.libraries) {
      const kinds = ["notebook", "file", "glob", "jar", "maven", "whl"].filter((kind) => library[kind]);
      if (kinds.length !== 1)
        throw refuse(`A library must have exactly one kind; got ${Object.keys(library)}.`);
    }
    if (body.serverless && body.clusters) throw refuse("serverless and clusters");
    if (body.schema && body.target) throw refuse("Only one of schema and target can be set.");
    if (Object.keys(body.tags ?? {}).length > 25) throw refuse("A maximum of 25 tags can be added.");
    const { allow_duplicate_names, run_as: _, ...spec } = body;
    const isTaken = [...pipelines.values()].some((one) => one.spec.name === spec.name);
    if (isTaken && !allow_duplicate_names)
      throw new FakeError(409, "RESOURCE_CONFLICT", `The pipeline name '${spec.name}' is already used.`);
    return spec;
  }

  function begin(id: string, cause: string, options: FakeUpdate["options"] = {}): FakeUpdate {
    const update: FakeUpdate = {
      update_id: newId(),
      pipeline_id: id,
      created: now(),
      cause,
      options,
      state: "RUNNING",
    };
    updates.push(update);
    hooks.begun?.(update);
    return update;
  }

  const summary = ({ pipeline_id, spec }: FakePipeline) => {
    const latest = updatesOf(pipeline_id).slice(0, 5);
    return {
      pipeline_id,
      name: spec.name,
      state: activeOf(pipeline_id) ? "RUNNING" : "IDLE",
      ...(latest.length > 0 && {
        latest_updates: latest.map(({ update_id, state, created }) => ({
          update_id,
          state,
          creation_time: new Date(created).toISOString(),
        })),
      }),
    };
  };
  const shown = ({ options, created, ...update }: FakeUpdate) => ({
    ...update,
    ...options,
    creation_time: created,
  });

  const base = "/api/2.0/pipelines";
  const routes: Routes = {
    [`POST ${base}`]: ({ body }) => {
      const pipeline = { pipeline_id: newId(), spec: checked(body) };
      pipelines.set(pipeline.pipeline_id, pipeline);
      if (pipeline.spec.continuous) begin(pipeline.pipeline_id, "SERVICE_UPGRADE");
      return { pipeline_id: pipeline.pipeline_id };
    },
    [`GET ${base}`]: ({ query }) => {
      const [, like] = /^name LIKE '([^']*)'$/.exec(query.filter ?? "") ?? [];
      if (query.filter !== undefined && like === undefined)
        throw new FakeError(400, "INVALID_PARAMETER_VALUE", `Invalid filter: ${query.filter}`);
      const pattern =
        like && new RegExp(`^${like.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll("%", ".*")}$`, "s");
      const found = [...pipelines.values()].filter(({ spec }) => !pattern || pattern.test(spec.name));
      const from = Number(query.page_token ?? 0);
      const size = Number(query.max_results ?? 25);
      const statuses = found.slice(from, from + size).map(summary);
      return {
        ...(statuses.length > 0 && { statuses }),
        ...(from + size < found.length && { next_page_token: String(from + size) }),
      };
    },
    [`GET ${base}/{id}`]: ({ params }) => {
      const one = find(params.id);
      return { ...summary(one), spec: { ...one.spec, id: one.pipeline_id } };
    },
    [`PUT ${base}/{id}`]: ({ params, body }) => {
      const one = find(params.id);
      one.spec = checked({ ...body, allow_duplicate_names: true });
      return {};
    },
    [`DELETE ${base}/{id}`]: ({ params, query }) => {
      pipelines.delete(find(params.id).pipeline_id);
      deletions.push(query);
      return {};
    },
    [`POST ${base}/{id}/updates`]: ({ params, body }) => {
      const { pipeline_id } = find(params.id);
      if (activeOf(pipeline_id))
        throw new FakeError(409, "RESOURCE_CONFLICT", "An active update already exists.");
      return { update_id: begin(pipeline_id, "API_CALL", body).update_id };
    },
    [`GET ${base}/{id}/updates`]: ({ params }) => {
      const found = updatesOf(find(params.id).pipeline_id);
      return found.length > 0 ? { updates: found.map(shown) } : {};
    },
    [`GET ${base}/{id}/updates/{update}`]: ({ params }) => {
      const found = updates.find(({ update_id }) => update_id === params.update);
      if (!found) throw new FakeError(404, "RESOURCE_DOES_NOT_EXIST", "The specified update was not found.");
      return { update: shown(found) };
    },
    [`POST ${base}/{id}/stop`]: ({ params }) => {
      const active = activeOf(find(params.id).pipeline_id);
      if (active) active.state = "CANCELED";
      return {};
    },
    [`GET ${base}/{id}/events`]: ({ query }) => {
      if (query.page_token && (query.filter || query.order_by))
        throw new FakeError(400, "INVALID_PARAMETER_VALUE", "page_token cannot be combined.");
      const [, update = ""] = /^update_id = '([^']*)'$/.exec(query.filter ?? "") ?? [];
      const [id = update, from = "0"] = (query.page_token ?? "").split("/").filter(Boolean);
      const all = events.get(id) ?? [];
      const next = Number(from) + 2;
      return {
        events: all.slice(Number(from), next),
        ...(next < all.length && { next_page_token: `${id}/${next}` }),
      };
    },
  };
  return { routes, pipelines, updates, events, deletions, begin, hooks };
}
