import type {
  Connector,
  ConnectorCreateRequest,
  ConnectorUpdateRequest,
  DatasetInput,
  DatasetUpdate,
  PauseRequest,
  ScheduleOverride,
} from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound, Problem } from "../../core/errors.ts";
import type { InstallMissing } from "../../core/missing-installations.ts";
import { definedOnly } from "../../core/patch.ts";
import { createEncryptedMaps } from "../../core/secrets/encrypted-map.ts";
import { createScopeLimits } from "../../core/secrets/scope-limits.ts";
import { type MaskStored, maskTable } from "../../core/secrets/stored-secrets.ts";
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
import {
  type ChangeContext,
  type DomainEvent,
  retryOnConflict,
  subjectId,
  subjectOf,
} from "../../core/store/store.ts";
import { hasPauseSettings, initialPause, readPause } from "../../runtime/jobs/pause-request.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { KeepsFields, PlatformJobRequest } from "../../runtime/platforms/platform-request.ts";
import type {
  PlatformRequests,
  RecordOutcome,
  SubmittedRequest,
} from "../../runtime/platforms/platform-requests.ts";
import { applyOutcome, createResourceChange, namedEvents } from "../../runtime/platforms/resource-change.ts";
import type { Environments } from "../environments/environments.ts";
import type { DeclaredDefinition } from "../planned-definition.ts";
import { readsLog } from "./capture-run.ts";
import {
  changedDataset,
  checkedDatasets,
  datasetOf,
  newDataset,
  readDatasets,
  requireSameDatasets,
  withDatasets,
} from "./datasets.ts";
import {
  declaredConnector,
  destinationOf,
  isSupported,
  jobOf,
  openConnector,
  requireReferencesInCredentials,
  resealConnector,
  sealConnector,
  withSupportProblem,
} from "./document.ts";
import type { LogRemoval, RemovedConnector } from "./log-removal.ts";
import { connectorFrom, declareConnector, storedConnector } from "./planned-connector.ts";
import { changedPolicy, readPolicy } from "./policy.ts";
import { routeOf } from "./transfer-request.ts";

export interface Connectors {
  /** Applies the outcome of an outbox entry to a connector. */
  readonly recordOutcome: RecordOutcome<"connector">;
  create(
    body: ConnectorCreateRequest,
    env: EnvironmentContext,
    call: CreateRequest,
  ): Promise<Stored<Connector>>;
  /** The id of its environment, in a list; undefined if it does not exist. */
  environmentsOf(id: string): Promise<readonly string[] | undefined>;
  text(id: string): StoredText<Connector> | Promise<StoredText<Connector>>;
  page(scope: Scope, request: ListRequest): Promise<JoinedPage<Connector>>;
  byName(environmentId: string, name: string): Promise<Connector | undefined>;
  /** Installs connectors that earlier versions recorded without a job. */
  readonly installMissing: InstallMissing;
  /** Masks stored connectors by the current rules. */
  readonly maskStored: MaskStored;
  /** With its secrets, for the platform only; secret references are unresolved. */
  withSecrets(id: string): Promise<{ readonly doc: Connector; readonly environmentId: string }>;
  update(
    id: string,
    body: ConnectorUpdateRequest,
    call: ChangeRequest & KeepsFields,
  ): Promise<Stored<Connector>>;
  /** Lets the platform make its job again what it should be. */
  reinstall(id: string, call: ChangeRequest & KeepsFields): Promise<Stored<Connector>>;
  /** `left` is a sentence about what it left behind in its source, if that could not be removed at once. */
  remove(
    id: string,
    call: ChangeRequest,
  ): Promise<{ readonly name: string; readonly left: string | undefined }>;
  /** With its secrets, for the platform only; secret references are unresolved. */
  unsealed(removed: RemovedConnector): Connector;
  /** All of an environment, with their secrets encrypted. */
  inEnvironment(environmentId: string): Promise<Stored<Connector>[]>;
  find(environmentId: string, name: string): Promise<Stored<Connector> | undefined>;
  /** A definition for comparisons with a stored one; a mask in it stands for the stored secret. */
  declare(
    body: ConnectorCreateRequest,
    before: Stored<Connector> | undefined,
    context: ChangeContext,
  ): DeclaredDefinition;
  /** The definition of a stored one. */
  declared(stored: Stored<Connector>): DeclaredDefinition;
  /** Replaces the whole definition, datasets included. */
  replace(id: string, body: ConnectorCreateRequest, call: ChangeRequest): Promise<Stored<Connector>>;
  pause(id: string, body: PauseRequest, call: ChangeRequest): Promise<Stored<Connector>>;
  resume(id: string, call: ChangeRequest): Promise<Stored<Connector>>;
  /** Resumes connectors whose pause has expired. */
  endPauses(context: ChangeContext): Promise<void>;
  addDataset(
    id: string,
    input: DatasetInput,
    call: ChangeRequest & CreateRequest,
  ): Promise<Stored<Connector>>;
  updateDataset(
    id: string,
    datasetId: string,
    change: DatasetUpdate,
    call: ChangeRequest,
  ): Promise<Stored<Connector>>;
  removeDataset(id: string, datasetId: string, call: ChangeRequest): Promise<Stored<Connector>>;
}

/** The result of a change: the next document, and the request to the platform. */
interface ConnectorChange {
  readonly doc: Connector;
  /** Until when it is paused; absent: unchanged. */
  readonly pausedUntil?: string | null;
  readonly request?: PlatformJobRequest["kind"];
  /** With `job.pause`: by whom, why and until when. */
  readonly pause?: ScheduleOverride;
  readonly event: Omit<DomainEvent, "subject">;
}

/** Names are unique in an environment. A migration made this form of the keys that were names alone. */
const connectorKey = (environmentId: string, name: string) => `${environmentId}/${keyOf(name)}`;

/** A change gives a failing connector another status: then it is not known whether its runs still fail. */
function withoutEndedFailure(doc: Connector): Connector {
  if (doc.status === "failing" || doc.failing_since === undefined) return doc;
  const { failing_since: _, ...kept } = doc;
  return kept;
}

export function createConnectors(
  { store, vault, system }: Dependencies,
  platformRequests: PlatformRequests,
  environments: Environments,
  hasJob: (jobId: string) => Promise<boolean>,
  logRemoval: () => LogRemoval,
): Connectors {
  const rows = collection<Connector>(store, "connectors");
  const maps = createEncryptedMaps(vault);
  const scopes = createScopeLimits(store);
  const pausesDue = store.prepare((db, v: { now: string }) =>
    db.selectFrom("connectors").select("id").where("state", "is not", null).where("state", "<=", v.now),
  );
  const all = store.prepare((db, _: Record<string, never>) => db.selectFrom("connectors").select("id"));
  const environmentMissing =
    ({ environment }: EnvironmentContext) =>
    () =>
      notFound(`The environment "${environment.name}" no longer exists.`);
  const taken =
    (name: string, { environment }: EnvironmentContext) =>
    () =>
      conflict(`There is already a connector named "${name}" in the environment "${environment.name}".`);

  const requestJob = (
    kind: PlatformJobRequest["kind"],
    doc: Connector,
    { environment, platform }: EnvironmentContext,
    pause?: ScheduleOverride,
    kept?: readonly string[],
  ): SubmittedRequest =>
    platformRequests.submit(platform, {
      id: system.newId(),
      environmentId: environment.id,
      kind,
      subject: subjectOf("connector", doc.id),
      data: { ...jobOf(doc, environment), ...(pause && { pause }) },
      ...(kept && { kept }),
    });

  async function read(id: string): Promise<Stored<Connector>> {
    const found = await rows.get(id);
    if (!found) throw notFound(`There is no connector ${id}.`);
    return found;
  }

  const resourceChange = createResourceChange(store, rows, read);

  const change = (
    id: string,
    call: ChangeRequest & Partial<CreateRequest> & KeepsFields,
    decide: (before: Stored<Connector>) => ConnectorChange | undefined,
  ): Promise<Stored<Connector>> =>
    resourceChange.change(id, call, async (before) => {
      const next = decide(before);
      if (!next) return undefined;
      const isPause = next.request === "job.pause" || next.request === "job.resume";
      if (!isPause && requireReferencesInCredentials(next.doc)) {
        await scopes.requireMayRefer(destinationOf(next.doc), {
          context: call.context,
          environmentId: before.environmentId ?? undefined,
          before: destinationOf(before.doc),
        });
      }
      const env = await environments.actIn(before.environmentId ?? undefined);
      const { doc: masked, sealed } = sealConnector(maps, next.doc, before);
      const declared = next.request === "job.install" ? withSupportProblem(masked, env) : masked;
      const submitted =
        next.request && isSupported(env, declared)
          ? requestJob(next.request, declared, env, next.pause, call.kept)
          : undefined;
      const doc =
        next.request && submitted?.outcome
          ? applyOutcome(declared, next.request, submitted.outcome)
          : declared;
      const state = next.pausedUntil === undefined ? before.state : next.pausedUntil;
      return {
        next: {
          doc: withoutEndedFailure(doc),
          key: connectorKey(env.environment.id, doc.name),
          state,
          sealed,
        },
        submitted,
        taken: taken(doc.name, env),
        events: [{ ...next.event, subject: subjectOf("connector", id) }],
      };
    });

  /** An update without changes is not written. It retries what has failed or has not begun. */
  function isSame(before: Stored<Connector>, next: Connector): boolean {
    const { status, updated_at, updated_by } = before.doc;
    if (status !== "active" && status !== "failing" && status !== "paused") return false;
    const { doc, sealed } = sealConnector(maps, { ...next, updated_at, updated_by }, before);
    const isKept = (key: keyof Connector) =>
      doc[key] === before.doc[key] || encodeJson(doc[key] ?? null) === encodeJson(before.doc[key] ?? null);
    const keys = new Set([...Object.keys(doc), ...Object.keys(before.doc)]) as Set<keyof Connector>;
    return sealed === before.sealed && [...keys].every(isKept);
  }

  const recordOutcome: RecordOutcome<"connector"> = async (request, outcome) => {
    const { subject, kind: asked } = request;
    const before = await rows.get(subjectId("connector", subject));
    if (!before) {
      // The connector was deleted; a failure to remove its job must still be recorded.
      if (outcome.done) return { steps: [], events: [] };
      const { name } = request.data;
      const data = { name, environment_id: request.environmentId, asked, error_message: outcome.reason };
      return { steps: [], events: [{ kind: "connector.failed", subject, data }] };
    }
    const doc = withoutEndedFailure(applyOutcome(before.doc, asked, outcome));
    const kind = outcome.done ? "connector.settled" : "connector.failed";
    const data = { asked, status: doc.status, error_message: doc.error_message };
    return {
      steps: rows.update(before, { doc }),
      events: namedEvents([{ kind, subject, data }], before),
    };
  };

  /** Only a platform with transactional effects has its jobs in our store, and may have none for a connector. */
  async function installAgain(id: string, context: ChangeContext): Promise<"installed" | "left" | undefined> {
    const before = await rows.get(id);
    const { status, workflow_id } = before?.doc ?? {};
    const isInstalled = status === "active" || status === "failing" || status === "paused";
    if (!before || !workflow_id || !isInstalled) return undefined;
    const env = await environments.actIn(before.environmentId ?? undefined).catch((error) => {
      if (!(error instanceof Problem)) throw error;
    });
    if (!env) return "left";
    const { updated_by, updated_at, created_by } = before.doc;
    const pause =
      status === "paused"
        ? { paused: true, by: updated_by ?? created_by, at: updated_at, reason: null, until: before.state }
        : undefined;
    const declared = withSupportProblem(before.doc, env);
    const submitted = isSupported(env, declared)
      ? requestJob("job.install", declared, env, pause)
      : undefined;
    if ((submitted && !submitted.outcome) || (await hasJob(workflow_id))) return undefined;
    const doc = withoutEndedFailure(
      submitted?.outcome ? applyOutcome(declared, "job.install", submitted.outcome) : declared,
    );
    const data = { asked: "job.install", status: doc.status, error_message: doc.error_message };
    const kind = doc.error_message === null ? "connector.settled" : "connector.failed";
    await store.apply({
      context,
      steps: [...rows.update(before, { doc }), ...(submitted?.steps ?? [])],
      events: namedEvents([{ kind, subject: subjectOf("connector", id), data }], before),
    });
    return "installed";
  }

  const resume: Connectors["resume"] = (id, call) =>
    change(id, call, ({ doc }) => {
      if (doc.status === "active" || doc.status === "failing") return undefined;
      if (doc.status !== "paused")
        throw conflict(`A connector with the status ${doc.status} cannot be resumed.`);
      return {
        doc: { ...doc, status: "active", updated_at: call.context.time, updated_by: call.context.actor },
        pausedUntil: null,
        request: "job.resume",
        event: { kind: "connector.resumed", data: { name: doc.name } },
      };
    });

  function newDatasets(
    { datasets }: ConnectorCreateRequest,
    connector: Connector,
    context: ChangeContext,
  ): Connector["datasets"] {
    if (datasets === undefined || datasets === null) return null;
    const { created_by } = connector;
    const created = readDatasets(datasets).map((input) => ({
      ...newDataset(system.newId(), connector, input, context),
      created_by,
    }));
    return checkedDatasets(created, connector);
  }

  return {
    recordOutcome,
    async installMissing(context) {
      const count = { installed: 0, left: 0 };
      for (const { id } of await store.all(all({}))) {
        const result = await retryOnConflict(() => installAgain(id, context));
        if (result) count[result] += 1;
      }
      return count;
    },
    maskStored: (context) =>
      maskTable<Connector>(store, "connectors", (doc, sealed) => resealConnector(maps, doc, sealed), context),
    async create(body, env, { context, saveAnswer }) {
      const id = system.newId();
      const environmentId = env.environment.id;
      const pause = initialPause(body.paused, context);
      const policy = readPolicy(body.policy);
      const bare = {
        ...declaredConnector(id, body, context, pause ? "paused" : "created"),
        ...(policy && { policy }),
      };
      const sent = { ...bare, datasets: newDatasets(body, bare, context) };
      if (requireReferencesInCredentials(sent)) {
        await scopes.requireMayRefer(destinationOf(sent), { context, environmentId });
      }
      const { doc: masked, sealed } = sealConnector(maps, sent);
      const declared = withSupportProblem(masked, env);
      const submitted = isSupported(env, declared)
        ? requestJob("job.install", declared, env, pause)
        : undefined;
      const doc = submitted?.outcome ? applyOutcome(declared, "job.install", submitted.outcome) : declared;
      const { name, target_type, status } = doc;
      const key = connectorKey(environmentId, name);
      const fresh = { id, key, doc, environmentId, owner: null, state: null, sealed };
      await store.apply({
        context,
        steps: [
          // First: a concurrent duplicate of the request is a repetition, not a name conflict.
          ...saveAnswer(textOf(doc), 1),
          ...rows.insert(fresh, { duplicate: taken(name, env), referenced: environmentMissing(env) }),
          ...(submitted?.steps ?? []),
        ],
        events: [
          {
            kind: "connector.created",
            subject: subjectOf("connector", id),
            data: { name, environment_id: environmentId, target_type, status },
          },
        ],
      });
      return resourceChange.awaitOutcome({ ...fresh, version: 1 }, submitted);
    },
    environmentsOf: (id) => rows.environmentsOf(id),
    text: (id) => rows.requireText(id, () => notFound(`There is no connector ${id}.`)),
    page: rows.list,
    byName: async (environmentId, name) => (await rows.byKey(connectorKey(environmentId, name)))?.doc,
    async withSecrets(id) {
      const { doc, sealed, environmentId } = await read(id);
      return { doc: openConnector(maps, doc, sealed), environmentId: environmentId ?? "" };
    },
    update: (id, body, call) =>
      change(id, call, (before) => {
        const { policy: stored, ...known } = before.doc;
        const { policy: sent, datasets, ...fields } = body;
        requireSameDatasets(before.doc, datasets);
        const policy = changedPolicy(stored, sent);
        const doc: Connector = {
          ...known,
          ...definedOnly(fields),
          ...(policy && { policy }),
          updated_at: call.context.time,
          updated_by: body.updated_by ?? call.context.actor,
        };
        if (isSame(before, doc)) return undefined;
        return {
          doc: before.doc.status === "paused" ? doc : { ...doc, status: "created", error_message: null },
          request: "job.install",
          event: { kind: "connector.updated", data: { name: doc.name, fields: Object.keys(body) } },
        };
      }),
    reinstall: (id, call) =>
      change(id, call, ({ doc }) => ({
        doc: doc.status === "paused" ? doc : { ...doc, status: "created", error_message: null },
        request: "job.install",
        event: { kind: "connector.reinstalled", data: { name: doc.name } },
      })),
    inEnvironment: rows.inEnvironment,
    find: (environmentId, name) => rows.byKey(connectorKey(environmentId, name)),
    declare: (body, before, context) => declareConnector(maps, body, before, system.newId, context),
    declared: (stored) => storedConnector(maps, stored),
    replace: (id, body, call) =>
      change(id, call, (before) => {
        const doc: Connector = {
          ...connectorFrom(body, before.doc, system.newId, call.context),
          updated_at: call.context.time,
          updated_by: call.context.actor,
        };
        if (isSame(before, doc)) return undefined;
        return {
          doc: before.doc.status === "paused" ? doc : { ...doc, status: "created", error_message: null },
          request: "job.install",
          event: { kind: "connector.updated", data: { name: doc.name, fields: Object.keys(body) } },
        };
      }),
    async remove(id, call) {
      let removal: ReturnType<LogRemoval["begin"]> | undefined;
      const { name } = await resourceChange.remove(id, call, async (before) => {
        const { doc, environmentId, sealed } = before;
        const env = await environments.actIn(environmentId ?? undefined);
        const route = routeOf(doc, { environment: "", catalog: "", schema: "" });
        removal =
          "problem" in route || !readsLog(route)
            ? undefined
            : logRemoval().begin({ doc, sealed }, env.environment.id);
        return {
          submitted: doc.workflow_id === null ? undefined : requestJob("job.remove", doc, env),
          steps: removal ? [removal.step] : [],
          events: [
            { kind: "connector.deleted", subject: subjectOf("connector", id), data: { name: doc.name } },
          ],
        };
      });
      return { name, left: await removal?.finish(call.context) };
    },
    unsealed: ({ doc, sealed }) => openConnector(maps, doc, sealed),
    pause: (id, body, call) =>
      change(id, call, ({ doc }) => {
        const pause = readPause(body, call.context);
        if (doc.status === "paused" && !hasPauseSettings(body)) return undefined;
        if (doc.status !== "active" && doc.status !== "failing" && doc.status !== "paused")
          throw conflict(`A connector with the status ${doc.status} cannot be paused.`);
        const { reason, until } = pause;
        return {
          doc: { ...doc, status: "paused", updated_at: call.context.time, updated_by: call.context.actor },
          pausedUntil: until,
          request: "job.pause",
          pause,
          event: { kind: "connector.paused", data: { name: doc.name, reason, until } },
        };
      }),
    resume,
    async endPauses(context) {
      for (const { id } of await store.all(pausesDue({ now: context.time }))) {
        // Not possible now, for example in an inactive environment: it stays paused until it is.
        await resume(id, { context }).catch((error) => {
          if (!(error instanceof Problem)) throw error;
        });
      }
    },
    addDataset: (id, input, call) =>
      change(id, call, ({ doc }) => {
        const added = newDataset(system.newId(), doc, input, call.context);
        const datasets = [...(doc.datasets ?? []), added];
        return withDatasets(doc, datasets, "connector.dataset_added", added.target_name, call.context);
      }),
    updateDataset: (id, datasetId, body, call) =>
      change(id, call, ({ doc }) => {
        const after = changedDataset(datasetOf(doc, datasetId), doc, body);
        const datasets = (doc.datasets ?? []).map((dataset) => (dataset.id === datasetId ? after : dataset));
        return withDatasets(doc, datasets, "connector.dataset_updated", after.target_name, call.context);
      }),
    removeDataset: (id, datasetId, call) =>
      change(id, call, ({ doc }) => {
        const removed = datasetOf(doc, datasetId);
        const datasets = (doc.datasets ?? []).filter((dataset) => dataset !== removed);
        return withDatasets(doc, datasets, "connector.dataset_removed", removed.target_name, call.context);
      }),
  };
}
