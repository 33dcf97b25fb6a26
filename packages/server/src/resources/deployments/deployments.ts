import type {
  DeploymentCreateRequest,
  DeploymentFinishRequest,
  EndpointBody,
  Environment,
  EnvironmentSummary,
  endpoints,
} from "@lakehelm/contract";
import { eventChanges } from "../../core/changes/event-changes.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import type { Outbox } from "../../core/outbox/outbox.ts";
import {
  collection,
  type JoinedPage,
  requireVersion,
  type Scope,
  type Stored,
  type StoredText,
  type Text,
  textOf,
} from "../../core/store/collection.ts";
import type { ListRequest } from "../../core/store/list-request.ts";
import type { ChangeRequest, CreateRequest } from "../../core/store/requests.ts";
import { type ChangeContext, type DomainEvent, type Step, subjectOf } from "../../core/store/store.ts";
import { createDeploymentCounts } from "./counts.ts";
import {
  alreadyEnded,
  changedDeployment,
  type Deployment,
  deploymentKey,
  finishedDeployment,
  isFinished,
  newDeployment,
  requireDeletable,
  startedDeployment,
} from "./document.ts";
import { createDeploymentLog } from "./log.ts";
import { type CurrentReleases, createSummaries, type SummaryInvalidation } from "./summaries.ts";

/** A deployment to record in the caller's transaction, with its steps and events. */
interface RecordedDeployment extends SummaryInvalidation {
  readonly doc: Deployment;
  readonly steps: readonly Step[];
  readonly events: readonly DomainEvent[];
}

export interface Deployments {
  create(
    body: DeploymentCreateRequest,
    environment: Environment,
    call: CreateRequest,
  ): Promise<Stored<Deployment>>;
  /** The id of the deployment's environment, in a list; undefined if there is no such deployment. */
  environmentsOf(id: string): Promise<readonly string[] | undefined>;
  text(id: string): StoredText<Deployment> | Promise<StoredText<Deployment>>;
  page(scope: Scope, request: ListRequest): Promise<JoinedPage<Deployment>>;
  /** Changes the metadata of a deployment. */
  update(
    id: string,
    body: EndpointBody<typeof endpoints.updateDeployment>,
    call: ChangeRequest,
  ): Promise<Stored<Deployment>>;
  /** Deletes an ended deployment and its log. */
  remove(id: string, call: ChangeRequest): Promise<void>;
  start(id: string, context: ChangeContext): Promise<Stored<Deployment>>;
  finish(id: string, body: DeploymentFinishRequest, context: ChangeContext): Promise<Stored<Deployment>>;
  appendLog(id: string, chunk: string, context: ChangeContext): Promise<Stored<Deployment>>;
  log(id: string): Promise<string>;
  /** The summary that reconciliation computed for an environment. */
  summary(environmentId: string): Promise<Text<EnvironmentSummary>>;
  /**
   * For deploy hooks: a deployment that has succeeded elsewhere. Its steps and events join the hook's own transaction;
   * after it, the hook calls `reconcile`.
   */
  recordDeployment(
    body: DeploymentCreateRequest,
    environment: Environment,
    context: ChangeContext,
  ): RecordedDeployment;
  /** For changes of a current release that record no deployment. */
  invalidateSummary(environmentId: string): SummaryInvalidation;
  /**
   * For the deletion of an environment: its finished deployments stay as history; unfinished ones block the deletion.
   */
  detach(environmentId: string): Step[];
  /** Recomputes the summary of an environment if it is outdated. */
  reconcile(environmentId: string, context: ChangeContext): Promise<void>;
}

/** The current release that a deployment recorded, as text; undefined if there is none. */
export type ReleaseOfDeployment = (doc: Deployment) => Promise<string | undefined>;

const environmentMissing = (environment: Environment) => () =>
  notFound(`There is no environment "${environment.name}".`);

export function createDeployments(
  { store, system }: Dependencies,
  outbox: Pick<Outbox, "add" | "pending" | "complete">,
  currentReleases: CurrentReleases,
  releaseOf: ReleaseOfDeployment,
): Deployments {
  const rows = collection<Deployment>(store, "deployments");
  const log = createDeploymentLog(store);
  const counts = createDeploymentCounts(store);
  const summaries = createSummaries(store, outbox, system.newId, { rows, counts, currentReleases });
  // This statement only locks the row, so that chunks and the finish are serialized.
  const lockOpen = store.prepare((db, v: { id: string }) =>
    db
      .updateTable("deployments")
      .set((eb) => ({ state: eb.ref("state") }))
      .where("id", "=", v.id)
      .where("state", "in", ["pending", "running"]),
  );

  const clearEnvironment = store.prepare((db, v: { environment: string }) =>
    db
      .updateTable("deployments")
      .set({ environment_id: null })
      .where("environment_id", "=", v.environment)
      .where("state", "not in", ["pending", "running"]),
  );

  async function read(id: string): Promise<Stored<Deployment>> {
    const found = await rows.get(id);
    if (!found) throw notFound(`There is no deployment ${id}.`);
    return found;
  }

  const freshRow = (doc: Deployment) => ({
    id: doc.id,
    key: deploymentKey(doc),
    doc,
    environmentId: doc.environment_id,
    owner: null,
    state: doc.status,
    sealed: null,
  });
  const eventOf = (what: string, doc: Deployment, more: DomainEvent["data"] = {}): DomainEvent => ({
    kind: `deployment.${what}`,
    subject: subjectOf("deployment", doc.id),
    data: {
      deployment_name: doc.deployment_name,
      environment_id: doc.environment_id,
      status: doc.status,
      ...more,
    },
  });

  return {
    create: (body, environment, { context, saveAnswer }) =>
      store.retryOnConflict(async () => {
        const fresh = freshRow(newDeployment(system.newId(), body, environment, context));
        await store.apply({
          context,
          steps: [
            ...rows.insert(fresh, { referenced: environmentMissing(environment) }),
            counts.add(environment.id, fresh.doc.status),
            ...saveAnswer(textOf(fresh.doc), 1),
          ],
          events: [eventOf("created", fresh.doc)],
        });
        return { ...fresh, version: 1 };
      }),
    environmentsOf: (id) => rows.environmentsOf(id),
    text: (id) => rows.requireText(id, () => notFound(`There is no deployment ${id}.`)),
    page: rows.list,
    async update(id, body, { context, expectedVersion }) {
      const { stored, summary } = await store.retryOnConflict(async () => {
        const before = await read(id);
        requireVersion(before, expectedVersion);
        const doc = changedDeployment(before.doc, body);
        if (textOf(doc) === textOf(before.doc)) return { stored: before, summary: undefined };
        // The summary shows the name of the latest success; a deleted environment has no summary.
        const isShown = isFinished(doc) && before.environmentId !== null;
        const summary = isShown ? summaries.invalidate(doc.environment_id) : undefined;
        await store.apply({
          context,
          steps: [...rows.update(before, { doc }), ...(summary?.steps ?? [])],
          events: [eventOf("updated", doc, eventChanges(before.doc, doc))],
        });
        return { stored: { ...before, doc, version: before.version + 1 }, summary };
      });
      await summary?.reconcile(context);
      return stored;
    },
    async remove(id, { context, expectedVersion }) {
      const summary = await store.retryOnConflict(async () => {
        const before = await read(id);
        const { doc } = before;
        requireVersion(before, expectedVersion);
        requireDeletable(doc);
        // A release refers only to the deployment that its own transaction recorded: no later release can refer to this
        // one.
        const release = await releaseOf(doc);
        if (release !== undefined) {
          throw conflict(
            `Deployment ${id} recorded ${release}, which is still current. Activate another release or delete that one first.`,
          );
        }
        // A deleted environment has no counts and no summary.
        const summary = before.environmentId === null ? undefined : summaries.invalidate(doc.environment_id);
        await store.apply({
          context,
          steps: [
            ...log.remove(id),
            ...rows.remove(before),
            ...(summary ? [counts.remove(doc.environment_id, doc.status), ...summary.steps] : []),
          ],
          events: [eventOf("deleted", doc)],
        });
        return summary;
      });
      await summary?.reconcile(context);
    },
    start: (id, context) =>
      store.retryOnConflict(async () => {
        const before = await read(id);
        const doc = startedDeployment(before.doc, context);
        if (!doc) return before;
        const next = { doc, state: doc.status };
        const count = counts.move(doc.environment_id, before.doc.status, doc.status);
        const steps = [...rows.update(before, next), count];
        await store.apply({ context, steps, events: [eventOf("started", doc)] });
        return { ...before, ...next, version: before.version + 1 };
      }),
    async finish(id, body, context) {
      const { stored, summary } = await store.retryOnConflict(async () => {
        const before = await read(id);
        const doc = finishedDeployment(before.doc, body, context);
        if (!doc) return { stored: before, summary: undefined };
        const next = { doc, state: doc.status, key: deploymentKey(doc) };
        const summary = summaries.invalidate(doc.environment_id);
        await store.apply({
          context,
          steps: [
            ...rows.update(before, next),
            counts.move(doc.environment_id, before.doc.status, doc.status),
            ...(body.log_chunk ? await log.append(before, body.log_chunk) : []),
            ...summary.steps,
          ],
          events: [eventOf("finished", doc)],
        });
        return { stored: { ...before, ...next, version: before.version + 1 }, summary };
      });
      // A repeated request still updates the summary if the first request failed after its transaction.
      await (summary ? summary.reconcile(context) : summaries.reconcile(stored.doc.environment_id, context));
      return stored;
    },
    appendLog: (id, chunk, context) =>
      store.retryOnConflict(async () => {
        const before = await read(id);
        if (isFinished(before.doc)) throw alreadyEnded(before.doc, "logged to");
        if (chunk === "") return before;
        const { environment_id } = before.doc;
        const data = { environment_id, characters: chunk.length };
        await store.apply({
          context,
          steps: [{ ...lockOpen({ id }), expect: 1 }, ...(await log.append(before, chunk))],
          events: [{ kind: "deployment.logged", subject: subjectOf("deployment", id), data }],
        });
        return before;
      }),
    async log(id) {
      await read(id);
      return log.read(id);
    },
    summary: (environmentId) => summaries.read(environmentId),
    recordDeployment(body, environment, context) {
      const doc: Deployment = {
        ...newDeployment(system.newId(), body, environment, context),
        status: "succeeded",
        started_at: context.time,
        completed_at: context.time,
      };
      const summary = summaries.invalidate(environment.id);
      return {
        doc,
        steps: [
          ...rows.insert(freshRow(doc), { referenced: environmentMissing(environment) }),
          counts.add(environment.id, doc.status),
          ...summary.steps,
        ],
        events: [eventOf("recorded", doc)],
        reconcile: summary.reconcile,
      };
    },
    invalidateSummary: (environmentId) => summaries.invalidate(environmentId),
    detach: (environmentId) => [
      clearEnvironment({ environment: environmentId }),
      ...rows.forgetList({ environmentId }),
    ],
    reconcile: summaries.reconcile,
  };
}
