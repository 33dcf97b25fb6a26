import type { PipelineSpec, PipelineUpdateRequest, ScheduleOverride } from "@lakehelm/contract";
import { programs } from "@lakehelm/contract/connections";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound, Problem } from "../../core/errors.ts";
import { definedOnly } from "../../core/patch.ts";
import { createEncryptedMaps } from "../../core/secrets/encrypted-map.ts";
import { createScopeLimits } from "../../core/secrets/scope-limits.ts";
import { type MaskStored, maskTable } from "../../core/secrets/stored-secrets.ts";
import {
  collection,
  type Items,
  keyOf,
  type Scope,
  type Stored,
  type StoredText,
  textOf,
} from "../../core/store/collection.ts";
import type { ListRequest } from "../../core/store/list-request.ts";
import type { ChangeRequest, CreateRequest } from "../../core/store/requests.ts";
import { type ChangeContext, type DomainEvent, subjectId, subjectOf } from "../../core/store/store.ts";
import { initialPause } from "../../runtime/jobs/pause-request.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { PlatformOutcome } from "../../runtime/platforms/platform.ts";
import type { KeepsFields, PlatformPipelineRequest } from "../../runtime/platforms/platform-request.ts";
import type {
  PlatformRequests,
  RecordOutcome,
  RecordWaiting,
  SubmittedRequest,
} from "../../runtime/platforms/platform-requests.ts";
import { createResourceChange, namedEvents } from "../../runtime/platforms/resource-change.ts";
import type { Environments } from "../environments/environments.ts";
import { type DeclaredDefinition, declaredWith } from "../planned-definition.ts";
import {
  checkedDeclaration,
  declarationOf,
  newPipeline,
  openDeclaration,
  type PipelineDeclaration,
  type PipelineDocument,
  platformTags,
  resealPipeline,
  sealDeclaration,
  usableId,
  withDeclaration,
  withOutcome,
} from "./document.ts";
import { usesFile } from "./library-path.ts";
import { newPipelineResponse } from "./pipeline-status.ts";
import type { TableRelease } from "./table-release.ts";

export interface Pipelines {
  /** Applies the outcome of an outbox entry to a pipeline. */
  readonly recordOutcome: RecordOutcome<"pipeline">;
  /** Records why a pipeline could not be installed yet. */
  readonly recordWaiting: RecordWaiting<"pipeline">;
  create(body: PipelineSpec, env: EnvironmentContext, call: CreateRequest): Promise<Stored<PipelineDocument>>;
  /** Throws 404 if it does not exist. */
  read(id: string): Promise<Stored<PipelineDocument>>;
  /** The id of the pipeline's environment, in a list; undefined if there is no such pipeline. */
  environmentsOf(id: string): Promise<readonly string[] | undefined>;
  text(id: string): StoredText<PipelineDocument> | Promise<StoredText<PipelineDocument>>;
  byName(environmentId: string, name: string): Promise<PipelineDocument | undefined>;
  page(scope: Scope, request: ListRequest): Promise<Items<PipelineDocument>>;
  update(
    id: string,
    body: PipelineUpdateRequest,
    call: ChangeRequest & KeepsFields,
  ): Promise<Stored<PipelineDocument>>;
  /** Reinstalls the pipeline on its platform. */
  reinstall(id: string, call: ChangeRequest & KeepsFields): Promise<Stored<PipelineDocument>>;
  /** All pipelines of an environment, with their secrets encrypted. */
  inEnvironment(environmentId: string): Promise<Stored<PipelineDocument>[]>;
  /** The names of the pipelines whose code is in a file of the workspace. */
  usersOf(environmentId: string, path: string): Promise<string[]>;
  find(environmentId: string, name: string): Promise<Stored<PipelineDocument> | undefined>;
  get(id: string): Promise<Stored<PipelineDocument> | undefined>;
  /** A definition for comparisons with a stored one; a mask in it stands for the stored secret. */
  declare(body: PipelineSpec, before: Stored<PipelineDocument> | undefined): DeclaredDefinition;
  /** The definition of a stored pipeline. */
  declared(stored: Stored<PipelineDocument>): DeclaredDefinition;
  /** Replaces the whole definition: fields that are not in the body are removed. */
  replace(id: string, body: PipelineSpec, call: ChangeRequest): Promise<Stored<PipelineDocument>>;
  remove(id: string, call: ChangeRequest): Promise<PipelineDocument>;
  /** The specification with its secret values, only for the platform. */
  specOf(id: string): Promise<PipelineDeclaration>;
  /** The specification with its secret values, and the tags of the pipeline. */
  declaredOf(
    id: string,
  ): Promise<{ readonly declared: PipelineDeclaration; readonly tags: PipelineDocument["tags"] }>;
  /** Masks stored pipelines by the current rules. */
  readonly maskStored: MaskStored;
  /** Installs pipelines that an earlier version of Lakehelm stored without installing them. */
  installPending(context: ChangeContext): Promise<void>;
}

interface InstallOptions extends KeepsFields {
  readonly pause?: ScheduleOverride;
}

interface Installation {
  readonly submitted: SubmittedRequest;
  readonly doc: PipelineDocument;
  readonly state: string | null;
}

/** The state that a migration gives to pipelines from versions that could not run them. */
const notInstalledState = "not installed";

const pipelineKey = ({ environment_id, name }: PipelineDocument) => keyOf(environment_id, name);

export function createPipelines(
  { store, vault, system }: Dependencies,
  platformRequests: PlatformRequests,
  environments: Environments,
  tableRelease: Pick<TableRelease, "begin" | "requireReleased">,
): Pipelines {
  const rows = collection<PipelineDocument>(store, "pipelines");
  const maps = createEncryptedMaps(vault);
  const scopes = createScopeLimits(store);
  const notInstalled = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("pipelines").select("id").where("state", "=", notInstalledState),
  );
  const taken = (name: string, { environment }: EnvironmentContext) =>
    conflict(`There is already a pipeline named "${name}" in the environment "${environment.name}".`);

  /** The request contains no secrets: the platform reads the specification when it executes it. */
  const requestPlatform = (
    kind: PlatformPipelineRequest["kind"],
    doc: PipelineDocument,
    { environment, platform }: EnvironmentContext,
    id: string,
    { pause, kept }: InstallOptions = {},
  ): SubmittedRequest =>
    platformRequests.submit(platform, {
      id,
      environmentId: environment.id,
      kind,
      subject: subjectOf("pipeline", doc.pipeline_id),
      data: {
        name: doc.name,
        libraries: doc.libraries,
        continuous: doc.continuous,
        tags: doc.tags,
        platform_reference: doc.platform_reference,
        ...(pause && { pause }),
      },
      ...(kept && { kept }),
    });

  /**
   * Requests the installation; an immediate outcome is already in the document. Otherwise `state` names the request
   * that is pending: the outcome of an earlier one does not apply to the current declaration.
   */
  function install(
    declared: PipelineDocument,
    env: EnvironmentContext,
    how: InstallOptions = {},
  ): Installation {
    const id = system.newId();
    const submitted = requestPlatform("pipeline.install", declared, env, id, how);
    if (!submitted.outcome) return { submitted, doc: declared, state: id };
    return { submitted, doc: withOutcome(declared, "pipeline.install", submitted.outcome), state: null };
  }

  async function read(id: string): Promise<Stored<PipelineDocument>> {
    const found = await rows.get(id);
    if (!found) throw notFound(`There is no pipeline ${id}.`);
    return found;
  }

  const resourceChange = createResourceChange(store, rows, read);

  const recordOutcome: RecordOutcome<"pipeline"> = async (request, outcome) => {
    const id = subjectId("pipeline", request.subject);
    const { name } = request.data;
    const about = { name, environment_id: request.environmentId };
    const events = refusalEvents(request.subject, request.kind, outcome, about);
    // A removed pipeline has no row; the event reports its error.
    const before = request.kind === "pipeline.install" ? await rows.get(id) : undefined;
    if (before?.state !== request.id) return { steps: [], events };
    const doc = withOutcome(before.doc, request.kind, outcome);
    const installedEvent = { kind: "pipeline.installed", subject: request.subject, data: about };
    return {
      steps: rows.update(before, { doc, state: null }),
      events: outcome.done ? [installedEvent] : events,
    };
  };

  const recordWaiting: RecordWaiting<"pipeline"> = async ({ id, kind, subject }, reason) => {
    const before = kind === "pipeline.install" ? await rows.get(subjectId("pipeline", subject)) : undefined;
    if (before?.state !== id || before.doc.error_message === reason) return undefined;
    const data = { asked: kind, error_message: reason };
    return {
      steps: rows.update(before, { doc: { ...before.doc, error_message: reason } }),
      events: namedEvents([{ kind: "pipeline.waiting", subject, data }], before),
    };
  };

  const change = (
    id: string,
    call: ChangeRequest & KeepsFields,
    fields: readonly string[],
    next: (stored: PipelineDeclaration) => PipelineDeclaration,
  ): Promise<Stored<PipelineDocument>> =>
    resourceChange.change(id, call, async (before) => {
      const stored = declarationOf(before.doc);
      const declared = checkedDeclaration(next(stored));
      await scopes.requireMayRefer(declared, {
        context: call.context,
        environmentId: before.environmentId ?? undefined,
        before: stored,
        destinationAt: () => [programs],
      });
      const merged = sealDeclaration(maps, declared, { masked: stored, sealed: before.sealed });
      // Repeating the same specification after a refusal is a retry.
      if (isSame(before, merged) && before.doc.error_message === null) return undefined;
      const env = await environments.actIn(before.environmentId ?? undefined);
      const { submitted, doc, state } = install(
        {
          ...withDeclaration(before.doc, merged.declared),
          tags: platformTags(env.environment.name, merged.declared.name),
          error_message: null,
          updated_at: call.context.time,
          updated_by: call.context.actor,
        },
        env,
        { ...(call.kept && { kept: call.kept }) },
      );
      const data = { name: doc.name, fields };
      return {
        next: { doc, state, key: pipelineKey(doc), sealed: merged.sealed },
        submitted,
        taken: () => taken(doc.name, env),
        events: [
          { kind: "pipeline.updated", subject: subjectOf("pipeline", id), data },
          ...refusalEvents(subjectOf("pipeline", id), "pipeline.install", submitted.outcome),
        ],
      };
    });

  return {
    recordOutcome,
    recordWaiting,
    maskStored: (context) =>
      maskTable<PipelineDocument>(
        store,
        "pipelines",
        (doc, sealed) => resealPipeline(maps, doc, sealed),
        context,
      ),
    async create(body, env, { context, saveAnswer }) {
      const { id: requestedId, paused, ...declared } = body;
      const asked = initialPause(paused, context);
      // A pipeline that is not continuous runs only when it is started, so it has no pause.
      const pause = declared.continuous ? asked : undefined;
      const sent = checkedDeclaration(declared);
      const { environment } = env;
      await scopes.requireMayRefer(sent, {
        context,
        environmentId: environment.id,
        destinationAt: () => [programs],
      });
      const { stored, submitted } = await store.retryOnConflict(async () => {
        const id = requestedId === undefined ? system.newId() : usableId(requestedId);
        if (requestedId !== undefined && (await rows.get(id))) {
          throw conflict(`There is already a pipeline with the id ${id}.`);
        }
        const split = sealDeclaration(maps, sent);
        const { submitted, doc, state } = install(newPipeline(id, split.declared, env, context), env, {
          ...(pause && { pause }),
        });
        const fresh = {
          id,
          key: pipelineKey(doc),
          doc,
          environmentId: environment.id,
          owner: null,
          state,
          sealed: split.sealed,
        };
        const refused = {
          duplicate: () => taken(doc.name, env),
          referenced: () => notFound(`There is no environment "${environment.name}".`),
        };
        await store.apply({
          context,
          steps: [
            ...(requestedId === undefined ? [] : [tableRelease.requireReleased(id)]),
            ...rows.insert(fresh, refused),
            ...submitted.steps,
            ...saveAnswer(newPipelineResponse(textOf(doc), pause), 1),
          ],
          events: [
            {
              kind: "pipeline.created",
              subject: subjectOf("pipeline", id),
              data: { name: doc.name, environment_id: environment.id },
            },
            ...refusalEvents(subjectOf("pipeline", id), "pipeline.install", submitted.outcome, {
              name: doc.name,
              environment_id: environment.id,
            }),
          ],
        });
        return { stored: { ...fresh, version: 1 }, submitted };
      });
      return resourceChange.awaitOutcome(stored, submitted);
    },
    read,
    environmentsOf: (id) => rows.environmentsOf(id),
    text: (id) => rows.requireText(id, () => notFound(`There is no pipeline ${id}.`)),
    byName: async (environmentId, name) => (await rows.byKey(keyOf(environmentId, name)))?.doc,
    page: rows.listItems,
    update: (id, body, call) =>
      change(id, call, Object.keys(body), (stored) => ({ ...stored, ...definedOnly(body) })),
    inEnvironment: rows.inEnvironment,
    usersOf: async (environmentId, path) =>
      (await rows.inEnvironment(environmentId)).flatMap(({ doc }) => (usesFile(doc, path) ? doc.name : [])),
    find: (environmentId, name) => rows.byKey(keyOf(environmentId, name)),
    get: (id) => rows.get(id),
    declare({ paused: _, id, ...declared }, before) {
      const stored = before && { masked: declarationOf(before.doc), sealed: before.sealed };
      const split = sealDeclaration(maps, checkedDeclaration(declared), stored);
      // The id of an existing pipeline is compared only if the definition has another id.
      const own = id === undefined || id === before?.id ? {} : { id };
      return {
        masked: { ...split.declared, ...own },
        open: { ...openDeclaration(maps, split.declared, split.sealed), ...own },
      };
    },
    declared({ doc, sealed }) {
      const masked = declarationOf(doc);
      return declaredWith(masked, () => openDeclaration(maps, masked, sealed));
    },
    replace: (id, { paused: _, id: __, ...declared }, call) =>
      change(id, call, Object.keys(declared), () => declared),
    reinstall: (id, call) =>
      resourceChange.change(id, call, async ({ doc: before, environmentId }) => {
        const env = await environments.actIn(environmentId ?? undefined);
        const how = { ...(call.kept && { kept: call.kept }) };
        const { submitted, doc, state } = install({ ...before, error_message: null }, env, how);
        const subject = subjectOf("pipeline", id);
        return {
          next: { doc, state },
          submitted,
          taken: () => taken(doc.name, env),
          events: [
            { kind: "pipeline.reinstalled", subject, data: { name: doc.name } },
            ...refusalEvents(subject, "pipeline.install", submitted.outcome),
          ],
        };
      }),
    async remove(id, call) {
      let tables: ReturnType<TableRelease["begin"]> | undefined;
      const removed = await resourceChange.remove(id, call, async ({ doc, environmentId }) => {
        const env = await environments.actIn(environmentId ?? undefined);
        const submitted = requestPlatform("pipeline.remove", doc, env, system.newId());
        // Other platforms manage their own tables.
        tables = env.platform.needsData === true ? tableRelease.begin(id, env.environment.id) : undefined;
        return {
          submitted: { ...submitted, steps: [...submitted.steps, ...(tables ? [tables.step] : [])] },
          events: [
            { kind: "pipeline.deleted", subject: subjectOf("pipeline", id), data: { name: doc.name } },
            ...refusalEvents(subjectOf("pipeline", id), "pipeline.remove", submitted.outcome),
          ],
        };
      });
      await tables?.finish();
      return removed;
    },
    async specOf(id) {
      const { doc, sealed: secrets } = await read(id);
      return openDeclaration(maps, declarationOf(doc), secrets);
    },
    async declaredOf(id) {
      const { doc, sealed } = await read(id);
      return { declared: openDeclaration(maps, declarationOf(doc), sealed), tags: doc.tags };
    },
    async installPending(context) {
      for (const { id } of await store.all(notInstalled({})))
        await store.retryOnConflict(() => installAgain(id, context));
    },
  };

  async function installAgain(id: string, context: ChangeContext): Promise<void> {
    const before = await rows.get(id);
    if (before?.state !== notInstalledState) return;
    const env = await environments.actIn(before.environmentId ?? undefined).catch((error) => {
      // The pipeline cannot be installed now, for example in an inactive environment: the next start tries again.
      if (!(error instanceof Problem)) throw error;
    });
    if (!env) return;
    const { submitted, doc, state } = install({ ...before.doc, error_message: null }, env);
    const events = namedEvents(
      refusalEvents(subjectOf("pipeline", id), "pipeline.install", submitted.outcome),
      before,
    );
    await store.apply({
      context,
      steps: [...rows.update(before, { doc, state }), ...submitted.steps],
      events,
    });
    await submitted.finish();
  }

  function isSame(before: Stored<PipelineDocument>, after: ReturnType<typeof sealDeclaration>): boolean {
    const text = (declared: ReturnType<typeof declarationOf>, secrets: string | null) =>
      encodeJson(openDeclaration(maps, declared, secrets));
    return text(declarationOf(before.doc), before.sealed) === text(after.declared, after.sealed);
  }
}

/** An event for a refusal by the platform. */
function refusalEvents(
  subject: string,
  asked: PlatformPipelineRequest["kind"],
  outcome: PlatformOutcome | undefined,
  about: DomainEvent["data"] = {},
): DomainEvent[] {
  if (!outcome || outcome.done) return [];
  return [{ kind: "pipeline.failed", subject, data: { ...about, asked, error_message: outcome.reason } }];
}
