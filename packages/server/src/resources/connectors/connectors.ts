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
import { definedOnly } from "../../core/patch.ts";
import { createEncryptedMaps } from "../../core/secrets/encrypted-map.ts";
import {
  collection,
  type JoinedPage,
  keyOf,
  type Scope,
  type Stored,
  type Text,
  textOf,
} from "../../core/store/collection.ts";
import type { ChangeRequest, CreateRequest } from "../../core/store/requests.ts";
import type { ChangeContext, DomainEvent } from "../../core/store/store.ts";
import { subjectId, subjectOf } from "../../core/subjects.ts";
import { hasPauseSettings, readPause } from "../../runtime/jobs/pause-request.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { PlatformJobRequest } from "../../runtime/platforms/platform-request.ts";
import type {
  PlatformRequests,
  RecordOutcome,
  SubmittedRequest,
} from "../../runtime/platforms/platform-requests.ts";
import { applyOutcome, createResourceChange } from "../../runtime/platforms/resource-change.ts";
import type { Environments } from "../environments/environments.ts";
import {
  changedDataset,
  checkedDatasets,
  datasetOf,
  newDataset,
  readDatasets,
  withDatasets,
} from "./datasets.ts";
import {
  declaredConnector,
  isSupported,
  jobOf,
  openConnector,
  sealConnector,
  withSupportProblem,
} from "./document.ts";

export interface Connectors {
  /** Applies the outcome of an outbox entry to a connector. */
  readonly recordOutcome: RecordOutcome<"connector">;
  create(
    body: ConnectorCreateRequest,
    env: EnvironmentContext,
    call: CreateRequest,
  ): Promise<Stored<Connector>>;
  text(id: string): Promise<{ readonly text: Text<Connector>; readonly version: number }>;
  page(scope: Scope, skip: number, limit: number): Promise<JoinedPage<Connector>>;
  byName(name: string): Promise<Connector | undefined>;
  /** With its secrets, for the platform only; secret references are unresolved. */
  withSecrets(id: string): Promise<{ readonly doc: Connector; readonly environmentId: string }>;
  update(id: string, body: ConnectorUpdateRequest, call: ChangeRequest): Promise<Stored<Connector>>;
  remove(id: string, call: ChangeRequest): Promise<Connector>;
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

export function createConnectors(
  { store, vault, system }: Dependencies,
  work: PlatformRequests,
  environments: Environments,
): Connectors {
  const rows = collection<Connector>(store, "connectors");
  const maps = createEncryptedMaps(vault);
  const pausesDue = store.prepare((db, v: { now: string }) =>
    db.selectFrom("connectors").select("id").where("state", "is not", null).where("state", "<=", v.now),
  );
  const environmentMissing =
    ({ environment }: EnvironmentContext) =>
    () =>
      notFound(`The environment "${environment.name}" no longer exists.`);
  const taken = (name: string) => () => conflict(`There is already a connector named "${name}".`);

  const requestJob = (
    kind: PlatformJobRequest["kind"],
    doc: Connector,
    { environment, platform }: EnvironmentContext,
    pause?: ScheduleOverride,
  ): SubmittedRequest =>
    work.submit(platform, {
      id: system.newId(),
      environmentId: environment.id,
      kind,
      subject: subjectOf("connector", doc.id),
      data: { ...jobOf(doc, environment), ...(pause && { pause }) },
    });

  async function read(id: string): Promise<Stored<Connector>> {
    const found = await rows.get(id);
    if (!found) throw notFound(`There is no connector ${id}.`);
    return found;
  }

  const resourceChange = createResourceChange(store, rows, read);

  const change = (
    id: string,
    call: ChangeRequest & Partial<CreateRequest>,
    decide: (before: Stored<Connector>) => ConnectorChange | undefined,
  ): Promise<Stored<Connector>> =>
    resourceChange.change(id, call, async (before) => {
      const next = decide(before);
      if (!next) return undefined;
      const env = await environments.actIn(before.environmentId ?? undefined);
      const { doc: masked, sealed } = sealConnector(maps, next.doc, before);
      const declared = next.request === "job.install" ? withSupportProblem(masked, env) : masked;
      const submitted =
        next.request && isSupported(env, declared)
          ? requestJob(next.request, declared, env, next.pause)
          : undefined;
      const doc =
        next.request && submitted?.outcome
          ? applyOutcome(declared, next.request, submitted.outcome)
          : declared;
      const state = next.pausedUntil === undefined ? before.state : next.pausedUntil;
      return {
        next: { doc, key: keyOf(doc.name), state, sealed },
        submitted,
        taken: taken(doc.name),
        events: [{ ...next.event, subject: subjectOf("connector", id) }],
      };
    });

  /** An update without changes is not written. It retries what has failed or has not begun. */
  function isSame(before: Stored<Connector>, next: Connector): boolean {
    const { status, updated_at, updated_by } = before.doc;
    if (status !== "active" && status !== "paused") return false;
    const { doc, sealed } = sealConnector(maps, { ...next, updated_at, updated_by }, before);
    const isKept = (key: keyof Connector) =>
      doc[key] === before.doc[key] || encodeJson(doc[key]) === encodeJson(before.doc[key]);
    return sealed === before.sealed && (Object.keys(doc) as (keyof Connector)[]).every(isKept);
  }

  const recordOutcome: RecordOutcome<"connector"> = async (request, outcome) => {
    const { subject, kind: asked } = request;
    const before = await rows.get(subjectId("connector", subject));
    if (!before) {
      // The connector was deleted; a failure to remove its job must still be recorded.
      if (outcome.done) return { steps: [], events: [] };
      const data = { asked, error_message: outcome.reason };
      return { steps: [], events: [{ kind: "connector.failed", subject, data }] };
    }
    const doc = applyOutcome(before.doc, asked, outcome);
    const kind = outcome.done ? "connector.settled" : "connector.failed";
    const data = { asked, status: doc.status, error_message: doc.error_message };
    return { steps: rows.update(before, { doc }), events: [{ kind, subject, data }] };
  };

  const resume: Connectors["resume"] = (id, call) =>
    change(id, call, ({ doc }) => {
      if (doc.status === "active") return undefined;
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
    const created = readDatasets(datasets).map((input) =>
      newDataset(system.newId(), connector, input, context),
    );
    return checkedDatasets(created, connector);
  }

  return {
    recordOutcome,
    async create(body, env, { context, saveAnswer }) {
      const id = system.newId();
      const environmentId = env.environment.id;
      const bare = declaredConnector(id, body, context);
      const { doc: masked, sealed } = sealConnector(maps, {
        ...bare,
        datasets: newDatasets(body, bare, context),
      });
      const declared = withSupportProblem(masked, env);
      const submitted = isSupported(env, declared) ? requestJob("job.install", declared, env) : undefined;
      const doc = submitted?.outcome ? applyOutcome(declared, "job.install", submitted.outcome) : declared;
      const fresh = { id, key: keyOf(doc.name), doc, environmentId, owner: null, state: null, sealed };
      const { name, target_type, status } = doc;
      await store.apply({
        context,
        steps: [
          // First: a concurrent duplicate of the request is a repetition, not a name conflict.
          ...saveAnswer(textOf(doc), 1),
          ...rows.insert(fresh, { duplicate: taken(name), referenced: environmentMissing(env) }),
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
    async text(id) {
      const found = await rows.text(id);
      if (!found) throw notFound(`There is no connector ${id}.`);
      return found;
    },
    page: (scope, skip, limit) => rows.page(scope, skip, limit),
    byName: async (name) => (await rows.byKey(keyOf(name)))?.doc,
    async withSecrets(id) {
      const { doc, sealed, environmentId } = await read(id);
      return { doc: openConnector(maps, doc, sealed), environmentId: environmentId ?? "" };
    },
    update: (id, body, call) =>
      change(id, call, (before) => {
        const doc: Connector = {
          ...before.doc,
          ...definedOnly(body),
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
    remove: (id, call) =>
      resourceChange.remove(id, call, async ({ doc, environmentId }) => {
        const env = await environments.actIn(environmentId ?? undefined);
        return {
          submitted: doc.workflow_id === null ? undefined : requestJob("job.remove", doc, env),
          events: [
            { kind: "connector.deleted", subject: subjectOf("connector", id), data: { name: doc.name } },
          ],
        };
      }),
    pause: (id, body, call) =>
      change(id, call, ({ doc }) => {
        const pause = readPause(body, call.context);
        if (doc.status === "paused" && !hasPauseSettings(body)) return undefined;
        if (doc.status !== "active" && doc.status !== "paused")
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
