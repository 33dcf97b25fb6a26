import type {
  Connector,
  ConnectorCreateRequest,
  ConnectorUpdateRequest,
  DatasetInput,
  DatasetUpdate,
  PauseRequest,
} from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { turns } from "../../core/concurrency/turns.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound, Problem } from "../../core/errors.ts";
import { definedOnly } from "../../core/patch.ts";
import { createEncryptedMaps } from "../../core/secrets/encrypted-map.ts";
import { createScopeLimits } from "../../core/secrets/scope-limits.ts";
import { type MaskStored, maskTable } from "../../core/secrets/stored-secrets.ts";
import {
  collection,
  type JoinedPage,
  type Scope,
  type Stored,
  type StoredText,
  textOf,
} from "../../core/store/collection.ts";
import type { ListRequest } from "../../core/store/list-request.ts";
import type { ChangeRequest, CreateRequest } from "../../core/store/requests.ts";
import { type ChangeContext, subjectOf } from "../../core/store/store.ts";
import { hasPauseSettings, initialPause, readPause } from "../../runtime/jobs/pause-request.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { KeepsFields } from "../../runtime/platforms/platform-request.ts";
import type { PlatformRequests } from "../../runtime/platforms/platform-requests.ts";
import { applyOutcome } from "../../runtime/platforms/resource-change.ts";
import type { Environments } from "../environments/environments.ts";
import type { DeclaredDefinition } from "../planned-definition.ts";
import { readsLog } from "./capture-run.ts";
import { connectorKey, createConnectorChanges } from "./connector-changes.ts";
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
  openConnector,
  requireReferencesInCredentials,
  resealConnector,
  sealConnector,
  secretDestinations,
  withSupportProblem,
} from "./document.ts";
import { createJobInstallation, type JobInstallation } from "./job-installation.ts";
import type { LogRemoval, RemovedConnector } from "./log-removal.ts";
import { connectorFrom, declareConnector, storedConnector } from "./planned-connector.ts";
import { changedPolicy, readPolicy } from "./policy.ts";
import { createSlotReaders } from "./slot-readers.ts";
import { routeOf } from "./transfer-request.ts";

export interface Connectors extends JobInstallation {
  create(
    body: ConnectorCreateRequest,
    env: EnvironmentContext,
    call: CreateRequest,
  ): Promise<Stored<Connector>>;
  /** The id of the connector's environment, in a list; undefined if there is no such connector. */
  environmentsOf(id: string): Promise<readonly string[] | undefined>;
  text(id: string): StoredText<Connector> | Promise<StoredText<Connector>>;
  page(scope: Scope, request: ListRequest): Promise<JoinedPage<Connector>>;
  byName(environmentId: string, name: string): Promise<Connector | undefined>;
  /** Masks stored connectors by the current rules. */
  readonly maskStored: MaskStored;
  /** The connector with its secrets, for the platform only; secret references are unresolved. */
  withSecrets(id: string): Promise<{ readonly doc: Connector; readonly environmentId: string }>;
  update(
    id: string,
    body: ConnectorUpdateRequest,
    call: ChangeRequest & KeepsFields,
  ): Promise<Stored<Connector>>;
  /** Reinstalls the connector's job on its platform. */
  reinstall(id: string, call: ChangeRequest & KeepsFields): Promise<Stored<Connector>>;
  /** `left` is a sentence about what the connector left in its source, if that could not be removed at once. */
  remove(
    id: string,
    call: ChangeRequest,
  ): Promise<{ readonly name: string; readonly left: string | undefined }>;
  /** A deleted connector with its secrets, for the platform only; secret references are unresolved. */
  unsealed(removed: RemovedConnector): Connector;
  /** All connectors of an environment, with their secrets encrypted. */
  inEnvironment(environmentId: string): Promise<Stored<Connector>[]>;
  find(environmentId: string, name: string): Promise<Stored<Connector> | undefined>;
  get(id: string): Promise<Stored<Connector> | undefined>;
  /** A definition for comparisons with a stored one; a mask in it stands for the stored secret. */
  declare(
    body: ConnectorCreateRequest,
    before: Stored<Connector> | undefined,
    context: ChangeContext,
  ): DeclaredDefinition;
  /** The definition of a stored connector. */
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

export function createConnectors(
  deps: Dependencies,
  platformRequests: PlatformRequests,
  environments: Environments,
  hasJob: (jobId: string) => Promise<boolean>,
  logRemoval: () => LogRemoval,
): Connectors {
  const { store, vault, system } = deps;
  const rows = collection<Connector>(store, "connectors");
  const maps = createEncryptedMaps(vault);
  const scopes = createScopeLimits(store);
  const slots = createSlotReaders(store);
  const pausesDue = store.prepare((db, v: { now: string }) =>
    db.selectFrom("connectors").select("id").where("state", "is not", null).where("state", "<=", v.now),
  );
  const changes = createConnectorChanges(deps, platformRequests, environments, rows, maps, scopes, slots);
  const { read, change, requestJob, taken } = changes;
  const environmentMissing =
    ({ environment }: EnvironmentContext) =>
    () =>
      notFound(`The environment "${environment.name}" no longer exists.`);

  /**
   * An update without changes is not written, unless the job failed or is not installed: then the update retries it.
   */
  function isSame(before: Stored<Connector>, next: Connector): boolean {
    const { status, updated_at, updated_by } = before.doc;
    if (status !== "active" && status !== "failing" && status !== "paused") return false;
    const { doc, sealed } = sealConnector(maps, { ...next, updated_at, updated_by }, before);
    const isKept = (key: keyof Connector) =>
      doc[key] === before.doc[key] || encodeJson(doc[key] ?? null) === encodeJson(before.doc[key] ?? null);
    const keysOf = (one: Connector) => Object.keys(one) as (keyof Connector)[];
    return sealed === before.sealed && keysOf(doc).every(isKept) && keysOf(before.doc).every(isKept);
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
    ...createJobInstallation(deps, environments, rows, changes, hasJob),
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
        await scopes.requireMayRefer(destinationOf(sent), {
          context,
          environmentId,
          destinationAt: secretDestinations(sent),
        });
      }
      await slots.requireFree(sent);
      // A definition may have a megabyte, so other requests get a turn between the steps that process all of it.
      const turn = turns();
      const { doc: masked, sealed } = sealConnector(maps, sent);
      await turn();
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
          // Saved first, so that a concurrent duplicate of the request is a repetition and not a name conflict.
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
      return changes.awaitOutcome({ ...fresh, version: 1 }, submitted);
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
    get: (id) => rows.get(id),
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
      const { name } = await changes.remove(id, call, async (before) => {
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
        // The connector cannot be resumed now, for example in an inactive environment: it stays paused and is tried
        // again.
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
