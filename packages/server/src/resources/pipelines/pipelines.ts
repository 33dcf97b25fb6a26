import type { PipelineSpec, PipelineUpdateRequest } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound, Problem } from "../../core/errors.ts";
import { definedOnly } from "../../core/patch.ts";
import { createEncryptedMaps } from "../../core/secrets/encrypted-map.ts";
import {
  collection,
  type Items,
  keyOf,
  type Scope,
  type Stored,
  type Text,
} from "../../core/store/collection.ts";
import type { ChangeRequest, CreateRequest } from "../../core/store/requests.ts";
import { type ChangeContext, type DomainEvent, retryOnConflict } from "../../core/store/store.ts";
import { textOf } from "../../core/store/text.ts";
import { subjectId, subjectOf } from "../../core/subjects.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { IntentKind, Outcome } from "../../runtime/platforms/platform.ts";
import { createResourceChange } from "../../runtime/platforms/resource-change.ts";
import type { Asked, RecordOutcome, Work } from "../../runtime/platforms/work.ts";
import type { Environments } from "../environments/environments.ts";
import {
  type Declared,
  declaredBy,
  newPipeline,
  opened,
  type Pipeline,
  platformTags,
  sealed,
  settled,
  usableId,
  withOutcome,
} from "./document.ts";
import type { Freeing } from "./freeing.ts";
import { newborn } from "./pipeline-status.ts";

export interface Pipelines {
  /** Applies the outcome of an outbox entry to a pipeline. */
  readonly recordOutcome: RecordOutcome;
  create(body: PipelineSpec, env: EnvironmentContext, call: CreateRequest): Promise<Stored<Pipeline>>;
  /** Throws 404 if it does not exist. */
  read(id: string): Promise<Stored<Pipeline>>;
  text(id: string): Promise<{ readonly text: Text<Pipeline>; readonly version: number }>;
  byName(environmentId: string, name: string): Promise<Pipeline | undefined>;
  page(scope: Scope, skip: number, limit: number): Promise<Items<Pipeline>>;
  update(id: string, body: PipelineUpdateRequest, call: ChangeRequest): Promise<Stored<Pipeline>>;
  remove(id: string, call: ChangeRequest): Promise<Pipeline>;
  /** The specification with its secret values, only for the platform. */
  specOf(id: string): Promise<Declared>;
  /** Installs pipelines of an earlier version of this program, which only recorded them. */
  installOld(context: ChangeContext): Promise<void>;
}

interface Installation {
  readonly asked: Asked;
  readonly doc: Pipeline;
  readonly state: string | null;
}

/** The state of pipelines from before they could run: see the migrations. */
const recorded = "not installed";

const keyOfPipeline = ({ environment_id, name }: Pipeline) => keyOf(environment_id, name);

export function createPipelines(
  { store, vault, system }: Dependencies,
  work: Work,
  environments: Environments,
  freeing: Pick<Freeing, "begin" | "unmarked">,
): Pipelines {
  const rows = collection<Pipeline>(store, "pipelines");
  const maps = createEncryptedMaps(vault);
  const notInstalled = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("pipelines").select("id").where("state", "=", recorded),
  );
  const taken = (name: string, { environment }: EnvironmentContext) =>
    conflict(`There is already a pipeline named "${name}" in the environment "${environment.name}".`);

  /** The request contains no secrets: the platform reads the specification when it executes it. */
  const askFor = (
    kind: IntentKind,
    doc: Pipeline,
    { environment, platform }: EnvironmentContext,
    id: string,
  ): Asked =>
    work.ask(platform, {
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
      },
    });

  /**
   * Requests the installation; an immediate outcome is already in the document. Otherwise `state` names the request
   * that is pending: the outcome of an earlier one says nothing about the current declaration.
   */
  function installed(declared: Pipeline, env: EnvironmentContext): Installation {
    const id = system.newId();
    const asked = askFor("pipeline.install", declared, env, id);
    if (!asked.outcome) return { asked, doc: declared, state: id };
    return { asked, doc: withOutcome(declared, "pipeline.install", asked.outcome), state: null };
  }

  async function read(id: string): Promise<Stored<Pipeline>> {
    const found = await rows.get(id);
    if (!found) throw notFound(`There is no pipeline ${id}.`);
    return found;
  }

  const changing = createResourceChange(store, rows, read);

  const recordOutcome: RecordOutcome = async (intent, outcome) => {
    const id = subjectId("pipeline", intent.subject);
    const events = refusals(intent.subject, intent.kind, outcome);
    // A removed pipeline has no row; the event reports its error.
    const before = intent.kind === "pipeline.install" ? await rows.get(id) : undefined;
    if (before?.state !== intent.id) return { steps: [], events };
    const doc = withOutcome(before.doc, intent.kind, outcome);
    const settledEvent = { kind: "pipeline.installed", subject: intent.subject, data: { name: doc.name } };
    return {
      steps: rows.update(before, { doc, state: null }),
      events: outcome.done ? [settledEvent] : events,
    };
  };

  return {
    recordOutcome,
    async create(body, env, { context, saveAnswer }) {
      const { id: wanted, ...sent } = body;
      const { environment } = env;
      const { stored, asked } = await retryOnConflict(async () => {
        const id = wanted === undefined ? system.newId() : usableId(wanted);
        if (wanted !== undefined && (await rows.get(id))) {
          throw conflict(`There is already a pipeline with the id ${id}.`);
        }
        const split = sealed(maps, sent);
        const { asked, doc, state } = installed(newPipeline(id, split.declared, env, context), env);
        const fresh = {
          id,
          key: keyOfPipeline(doc),
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
            ...(wanted === undefined ? [] : [freeing.unmarked(id)]),
            ...rows.insert(fresh, refused),
            ...asked.steps,
            ...saveAnswer(newborn(textOf(doc)), 1),
          ],
          events: [
            {
              kind: "pipeline.created",
              subject: subjectOf("pipeline", id),
              data: { name: doc.name, environment_id: environment.id },
            },
            ...refusals(subjectOf("pipeline", id), "pipeline.install", asked.outcome),
          ],
        });
        return { stored: { ...fresh, version: 1 }, asked };
      });
      return changing.heard(stored, asked);
    },
    read,
    async text(id) {
      const found = await rows.text(id);
      if (!found) throw notFound(`There is no pipeline ${id}.`);
      return found;
    },
    byName: async (environmentId, name) => (await rows.byKey(keyOf(environmentId, name)))?.doc,
    page: (scope, skip, limit) => rows.items(scope, skip, limit),
    update: (id, body, call) =>
      changing.change(id, call, async (before) => {
        const declared = settled({ ...declaredBy(before.doc), ...definedOnly(body) });
        const merged = sealed(maps, declared, before.sealed);
        // Repeating the same specification after a refusal is a retry.
        if (isSame(before, merged) && before.doc.error_message === null) return undefined;
        const place = await environments.actIn(before.environmentId ?? undefined);
        const { asked, doc, state } = installed(
          {
            ...before.doc,
            ...merged.declared,
            tags: platformTags(place.environment.name, merged.declared.name),
            error_message: null,
            updated_at: call.context.time,
            updated_by: call.context.actor,
          },
          place,
        );
        const data = { name: doc.name, fields: Object.keys(body) };
        return {
          next: { doc, state, key: keyOfPipeline(doc), sealed: merged.sealed },
          asked,
          taken: () => taken(doc.name, place),
          events: [
            { kind: "pipeline.updated", subject: subjectOf("pipeline", id), data },
            ...refusals(subjectOf("pipeline", id), "pipeline.install", asked.outcome),
          ],
        };
      }),
    async remove(id, call) {
      let tables: ReturnType<Freeing["begin"]> | undefined;
      const removed = await changing.remove(id, call, async ({ doc, environmentId }) => {
        const place = await environments.actIn(environmentId ?? undefined);
        const asked = askFor("pipeline.remove", doc, place, system.newId());
        // Other platforms manage their own tables.
        tables = place.platform.warehouse ? freeing.begin(id, place.environment.id) : undefined;
        return {
          asked: { ...asked, steps: [...asked.steps, ...(tables ? [tables.step] : [])] },
          events: [
            { kind: "pipeline.deleted", subject: subjectOf("pipeline", id), data: { name: doc.name } },
            ...refusals(subjectOf("pipeline", id), "pipeline.remove", asked.outcome),
          ],
        };
      });
      await tables?.finish();
      return removed;
    },
    async specOf(id) {
      const { doc, sealed: secrets } = await read(id);
      return opened(maps, declaredBy(doc), secrets);
    },
    async installOld(context) {
      for (const { id } of await store.all(notInstalled({})))
        await retryOnConflict(() => installAgain(id, context));
    },
  };

  async function installAgain(id: string, context: ChangeContext): Promise<void> {
    const before = await rows.get(id);
    if (before?.state !== recorded) return;
    const place = await environments.actIn(before.environmentId ?? undefined).catch((error) => {
      // Not possible now, for example in an inactive environment: the next start retries it.
      if (!(error instanceof Problem)) throw error;
    });
    if (!place) return;
    const { asked, doc, state } = installed({ ...before.doc, error_message: null }, place);
    const events = refusals(subjectOf("pipeline", id), "pipeline.install", asked.outcome);
    await store.apply({ context, steps: [...rows.update(before, { doc, state }), ...asked.steps], events });
    await asked.finish();
  }

  function isSame(before: Stored<Pipeline>, after: ReturnType<typeof sealed>): boolean {
    const text = (declared: ReturnType<typeof declaredBy>, secrets: string | null) =>
      encodeJson(opened(maps, declared, secrets));
    return text(declaredBy(before.doc), before.sealed) === text(after.declared, after.sealed);
  }
}

/** An event for a refusal by the platform. */
function refusals(subject: string, asked: IntentKind, outcome: Outcome | undefined): DomainEvent[] {
  if (!outcome || outcome.done) return [];
  return [{ kind: "pipeline.failed", subject, data: { asked, error_message: outcome.reason } }];
}
