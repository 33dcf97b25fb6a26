import type { ConsumptionFlowInput, Flow, PauseRequest, ScheduleOverride } from "@lakehelm/contract";
import { flowConsequences, inEnvironment } from "@lakehelm/contract/changes";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound, Problem } from "../../core/errors.ts";
import {
  collection,
  type JoinedPage,
  keyOf,
  type Scope,
  type Stored,
  type StoredText,
  textOf,
} from "../../core/store/collection.ts";
import type { ListRequest } from "../../core/store/list-request.ts";
import type { ChangeRequest, CreateRequest } from "../../core/store/requests.ts";
import { type ChangeContext, type DomainEvent, subjectId, subjectOf } from "../../core/store/store.ts";
import { platformContext } from "../../core/system.ts";
import { hasPauseSettings, initialPause, readPause } from "../../runtime/jobs/pause-request.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { KeepsFields, PlatformJobRequest } from "../../runtime/platforms/platform-request.ts";
import type {
  PlatformRequests,
  RecordOutcome,
  RecordWaiting,
  SubmittedRequest,
} from "../../runtime/platforms/platform-requests.ts";
import { applyOutcome, createResourceChange, namedEvents } from "../../runtime/platforms/resource-change.ts";
import { fullTableName, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { Environments } from "../environments/environments.ts";
import { declaredFlow, flowTrigger } from "./document.ts";
import type { PlanFlow } from "./flow-planning.ts";

export interface Flows {
  /** Applies the outcome of an outbox entry to a flow. */
  readonly recordOutcome: RecordOutcome<"flow">;
  /** Records why the job of a flow could not be installed yet. */
  readonly recordWaiting: RecordWaiting<"flow">;
  create(
    body: ConsumptionFlowInput & { readonly paused?: unknown },
    env: EnvironmentContext,
    call: CreateRequest,
  ): Promise<Stored<Flow>>;
  /** Throws 404 if it does not exist. */
  read(id: string): Promise<Stored<Flow>>;
  /** The id of the flow's environment, in a list; undefined if there is no such flow. */
  environmentsOf(id: string): Promise<readonly string[] | undefined>;
  text(id: string): StoredText<Flow> | Promise<StoredText<Flow>>;
  page(scope: Scope, request: ListRequest): Promise<JoinedPage<Flow>>;
  byName(environmentId: string, name: string): Promise<Flow | undefined>;
  update(
    id: string,
    definition: ConsumptionFlowInput,
    call: ChangeRequest & KeepsFields,
  ): Promise<Stored<Flow>>;
  /** Reinstalls the flow's job on its platform. */
  reinstall(id: string, call: ChangeRequest & KeepsFields): Promise<Stored<Flow>>;
  find(environmentId: string, name: string): Promise<Stored<Flow> | undefined>;
  get(id: string): Promise<Stored<Flow> | undefined>;
  inEnvironment(environmentId: string): Promise<Stored<Flow>[]>;
  remove(id: string, call: ChangeRequest): Promise<Flow>;
  pause(id: string, body: PauseRequest, call: ChangeRequest): Promise<Stored<Flow>>;
  resume(id: string, call: ChangeRequest): Promise<Stored<Flow>>;
  /** Records how a run ended: an installed flow becomes `failing`, `warning` or `active` (no error). */
  recordRun(id: string, ended: RunEnd, context: ChangeContext): Promise<void>;
  /** Resumes flows whose pause has expired. */
  endPauses(context: ChangeContext): Promise<void>;
}

interface RunEnd {
  readonly status: "active" | "warning" | "failing";
  readonly error: string | null;
}

/** Whether the flow's job is installed and not paused. */
const isInstalled = ({ status }: Flow): boolean =>
  status === "active" || status === "warning" || status === "failing";

/** Throws 409 with all problems of a definition. */
export type ValidateFlow = (definition: ConsumptionFlowInput, env: EnvironmentContext) => Promise<void>;

/** The result of a change: the next document, and the request to the platform. */
interface FlowChange {
  readonly doc: Flow;
  /** The new pause, or null to resume; absent: unchanged. */
  readonly pause?: ScheduleOverride | null;
  readonly request: PlatformJobRequest["kind"];
  /** Why the platform's warehouse cannot run the flow. */
  readonly refusal?: string | null;
  readonly event: Omit<DomainEvent, "subject">;
}

const flowKey = ({ environment_id, name }: Flow) => keyOf(environment_id, name);

export function createFlows(
  { store, system }: Dependencies,
  platformRequests: PlatformRequests,
  environments: Environments,
  { validate, plan }: { readonly validate: ValidateFlow; readonly plan: PlanFlow },
): Flows {
  const rows = collection<Flow>(store, "flows");
  const pausesDue = store.prepare((db, v: { now: string }) =>
    db.selectFrom("flows").select("id").where("state", "is not", null).where("state", "<=", v.now),
  );
  const taken = (name: string, { environment }: EnvironmentContext) =>
    conflict(`There is already a flow named "${name}" in the environment "${environment.name}".`);

  const requestJob = (
    kind: PlatformJobRequest["kind"],
    doc: Flow,
    env: EnvironmentContext,
    {
      pause,
      refusal,
      kept,
    }: KeepsFields & { readonly pause?: ScheduleOverride | null; readonly refusal?: string | null } = {},
  ): SubmittedRequest =>
    platformRequests.submit(env.platform, {
      id: system.newId(),
      environmentId: env.environment.id,
      kind,
      subject: subjectOf("flow", doc.id),
      data: {
        name: doc.name,
        // A problem of the environment must not prevent a job from being paused or removed.
        ...(kind === "job.install" && { trigger: flowTrigger(doc.definition, warehouseScope(env)) }),
        ...(pause && { pause }),
        ...(typeof refusal === "string" && { refusal }),
      },
      ...(kept && { kept }),
    });

  /** The flow after a request whose outcome may be known already. A flow that was refused has no job here. */
  function settled(
    doc: Flow,
    request: PlatformJobRequest["kind"],
    { outcome }: Pick<SubmittedRequest, "outcome">,
  ): Flow {
    if (!outcome) return doc;
    const isRefused = request === "job.install" && !outcome.done;
    return applyOutcome(isRefused ? { ...doc, workflow_id: null } : doc, request, outcome);
  }

  async function read(id: string): Promise<Stored<Flow>> {
    const found = await rows.get(id);
    if (!found) throw notFound(`There is no flow ${id}.`);
    return found;
  }

  const resourceChange = createResourceChange(store, rows, read);

  const change = (
    id: string,
    call: ChangeRequest & KeepsFields,
    decide: (before: Stored<Flow>, env: EnvironmentContext) => Promise<FlowChange | undefined>,
  ): Promise<Stored<Flow>> =>
    resourceChange.change(id, call, async (before) => {
      const env = await environments.actIn(before.environmentId ?? undefined);
      const next = await decide(before, env);
      if (!next) return undefined;
      const submitted = requestJob(next.request, next.doc, env, {
        ...next,
        ...(call.kept && { kept: call.kept }),
      });
      const doc = settled(next.doc, next.request, submitted);
      const until = next.pause === undefined ? before.state : (next.pause?.until ?? null);
      const state = doc.status === "failed" ? null : until;
      return {
        next: { doc, key: flowKey(doc), state },
        submitted,
        taken: () => taken(doc.name, env),
        events: [{ ...next.event, subject: subjectOf("flow", id) }],
      };
    });

  const recordOutcome: RecordOutcome<"flow"> = async (request, outcome) => {
    const before = await rows.get(subjectId("flow", request.subject));
    const doc = before && settled(before.doc, request.kind, { outcome });
    // The flow may have been deleted: a failure to remove its job must still be recorded.
    const { name } = request.data;
    const error_message = outcome.done ? null : outcome.reason;
    const data = { name, environment_id: request.environmentId, asked: request.kind, error_message };
    const kind = outcome.done ? "flow.settled" : "flow.failed";
    return {
      steps: before && doc ? rows.update(before, { doc }) : [],
      events: before || !outcome.done ? [{ kind, subject: request.subject, data }] : [],
    };
  };

  const recordWaiting: RecordWaiting<"flow"> = async ({ kind, subject }, reason) => {
    const before = kind === "job.install" ? await rows.get(subjectId("flow", subject)) : undefined;
    if (!before || before.doc.error_message === reason) return undefined;
    const data = { asked: kind, error_message: reason };
    return {
      steps: rows.update(before, { doc: { ...before.doc, error_message: reason } }),
      events: namedEvents([{ kind: "flow.waiting", subject, data }], before),
    };
  };

  const resume: Flows["resume"] = (id, call) =>
    change(id, call, async ({ doc }) => {
      if (isInstalled(doc)) return undefined;
      if (doc.status !== "paused") throw conflict(`A flow with the status ${doc.status} cannot be resumed.`);
      return {
        doc: { ...doc, status: "active", updated_at: call.context.time, updated_by: call.context.actor },
        pause: null,
        request: "job.resume",
        event: { kind: "flow.resumed", data: { name: doc.name } },
      };
    });

  /** The flows that write what a flow reads. */
  async function sourcesOf(
    { source_tables, target_name }: ConsumptionFlowInput,
    env: EnvironmentContext,
  ): Promise<ConsumptionFlowInput[]> {
    const scope = warehouseScope(env);
    const own = fullTableName(target_name, scope);
    const reads = new Set(source_tables.map((table) => fullTableName(table, scope)));
    return (await rows.inEnvironment(env.environment.id)).flatMap(({ doc: { definition } }) => {
      const table = fullTableName(definition.target_name, scope);
      return table !== own && reads.has(table) ? [definition] : [];
    });
  }

  /** Records a refusal that came too late for the caller, if the flow still has the same definition. */
  async function refuseLater(
    id: string,
    definition: ConsumptionFlowInput,
    later: Promise<string | null> | undefined,
  ): Promise<void> {
    const refusal = (await later) ?? null;
    if (refusal === null) return;
    const refuse = change(id, { context: platformContext(system) }, async ({ doc }) =>
      encodeJson(doc.definition) !== encodeJson(definition) || doc.status === "failed"
        ? undefined
        : {
            doc,
            request: "job.install",
            refusal,
            event: { kind: "flow.failed", data: { asked: "job.install", error_message: refusal } },
          },
    );
    // The flow was deleted since then, or the server stops. Runs of the flow show what is wrong.
    await refuse.catch(() => undefined);
  }

  return {
    recordOutcome,
    recordWaiting,
    async create({ paused, ...definition }, env, { context, saveAnswer }) {
      const pause = initialPause(paused, context);
      await validate(definition, env);
      const id = system.newId();
      const environmentId = env.environment.id;
      const declared = declaredFlow(id, environmentId, definition, context, pause ? "paused" : "created");
      const { refusal, later } = await plan(definition, env, () => sourcesOf(definition, env));
      const submitted = requestJob("job.install", declared, env, { ...(pause && { pause }), refusal });
      const doc = settled(declared, "job.install", submitted);
      const fresh = { id, key: flowKey(doc), doc, environmentId, owner: null, state: null, sealed: null };
      const refused = {
        duplicate: () => taken(doc.name, env),
        referenced: () => notFound(`The environment "${env.environment.name}" no longer exists.`),
      };
      const { name, status } = doc;
      const data = { name, environment_id: environmentId, target_name: definition.target_name, status };
      await store.apply({
        context,
        // Saved first, so that a concurrent duplicate of the request is a repetition and not a name conflict.
        steps: [...saveAnswer(textOf(doc), 1), ...rows.insert(fresh, refused), ...submitted.steps],
        events: [{ kind: "flow.created", subject: subjectOf("flow", id), data }],
      });
      void refuseLater(id, definition, later);
      return resourceChange.awaitOutcome({ ...fresh, version: 1 }, submitted);
    },
    read,
    environmentsOf: (id) => rows.environmentsOf(id),
    text: (id) => rows.requireText(id, () => notFound(`There is no flow ${id}.`)),
    page: rows.list,
    byName: async (environmentId, name) => (await rows.byKey(keyOf(environmentId, name)))?.doc,
    find: (environmentId, name) => rows.byKey(keyOf(environmentId, name)),
    get: (id) => rows.get(id),
    inEnvironment: rows.inEnvironment,
    async update(id, definition, call) {
      let late: Promise<string | null> | undefined;
      const changed = await change(id, call, async ({ doc: before }, env) => {
        const same = encodeJson(before.definition) === encodeJson(definition);
        // The same definition again retries an installation that has failed or has not begun.
        if (same && before.status !== "failed" && before.status !== "created") return undefined;
        await validate(definition, env);
        const sources = () => sourcesOf(definition, env);
        const { refusal, later, target } = await plan(definition, env, sources);
        late = later;
        const consequences = flowConsequences(
          before.definition,
          definition,
          (table) => fullTableName(table, warehouseScope(env)),
          target?.facts,
          target?.before,
        );
        const doc: Flow = {
          ...before,
          definition,
          name: definition.flow_name,
          updated_at: call.context.time,
          updated_by: call.context.actor,
        };
        return {
          doc: before.status === "paused" ? doc : { ...doc, status: "created", error_message: null },
          request: "job.install",
          refusal,
          event: {
            kind: "flow.updated",
            data: { name: doc.name, consequences: inEnvironment(consequences, env.environment.name) },
          },
        };
      });
      // Only now has the flow the definition that a late refusal is about.
      void refuseLater(id, definition, late);
      return changed;
    },
    reinstall: (id, call) =>
      change(id, call, async ({ doc }) => ({
        doc: doc.status === "paused" ? doc : { ...doc, status: "created", error_message: null },
        request: "job.install",
        event: { kind: "flow.reinstalled", data: { name: doc.name } },
      })),
    remove: (id, call) =>
      resourceChange.remove(id, call, async ({ doc, environmentId }) => {
        const env = await environments.actIn(environmentId ?? undefined);
        return {
          // Requested even if no job is known: an answer about the job may be on the way, or may have been lost.
          submitted: requestJob("job.remove", doc, env),
          events: [{ kind: "flow.deleted", subject: subjectOf("flow", id), data: { name: doc.name } }],
        };
      }),
    pause: (id, body, call) =>
      change(id, call, async ({ doc }) => {
        const pause = readPause(body, call.context);
        if (doc.status === "paused" && !hasPauseSettings(body)) return undefined;
        if (!isInstalled(doc) && doc.status !== "paused")
          throw conflict(`A flow with the status ${doc.status} cannot be paused.`);
        const { reason, until } = pause;
        return {
          doc: {
            ...doc,
            status: "paused",
            error_message: null,
            updated_at: call.context.time,
            updated_by: call.context.actor,
          },
          pause,
          request: "job.pause",
          event: { kind: "flow.paused", data: { name: doc.name, reason, until } },
        };
      }),
    resume,
    recordRun: (id, { status, error }, context) =>
      store.retryOnConflict(async () => {
        const before = await rows.get(id);
        if (!before || !isInstalled(before.doc)) return;
        if (before.doc.status === status && before.doc.error_message === error) return;
        const doc: Flow = { ...before.doc, status, error_message: error };
        const data = { name: doc.name, environment_id: before.environmentId, error_message: error };
        const kind = status === "active" ? "flow.recovered" : `flow.${status}`;
        await store.apply({
          context,
          steps: rows.update(before, { doc }),
          events: [{ kind, subject: subjectOf("flow", id), data }],
        });
      }),
    async endPauses(context) {
      for (const { id } of await store.all(pausesDue({ now: context.time }))) {
        // The flow cannot be resumed now, for example in an inactive environment: it stays paused and is tried again.
        await resume(id, { context }).catch((error) => {
          if (!(error instanceof Problem)) throw error;
        });
      }
    },
  };
}
