import { type Automation, AutomationDefinition, type EndpointBody, type endpoints } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { eventChanges } from "../../core/changes/event-changes.ts";
import { turns } from "../../core/concurrency/turns.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import { createScopeLimits } from "../../core/secrets/scope-limits.ts";
import { type MaskStored, maskTable } from "../../core/secrets/stored-secrets.ts";
import {
  collection,
  type JoinedPage,
  keyOf,
  requireVersion,
  type Stored,
} from "../../core/store/collection.ts";
import type { ListRequest } from "../../core/store/list-request.ts";
import type { ChangeRequest, CreateRequest } from "../../core/store/requests.ts";
import { type ChangeContext, type DomainEvent, type Step, subjectOf } from "../../core/store/store.ts";
import { definitionProblems } from "./definition.ts";
import { createSealedDefinitions, type StoredDefinition } from "./definition-secrets.ts";
import { definitionHash } from "./design.ts";
import { requireProcessTasks } from "./process-tasks.ts";
import { taskDestinations } from "./task-credentials.ts";

/** The registered automations, by alias. */
export interface Registry {
  create(
    body: EndpointBody<typeof endpoints.createAutomation>,
    call: CreateRequest,
  ): Promise<Stored<Automation>>;
  setDefinition(
    alias: string,
    definition: AutomationDefinition,
    call: ChangeRequest,
  ): Promise<Stored<Automation>>;
  /** Changes the description. */
  update(
    alias: string,
    body: EndpointBody<typeof endpoints.updateAutomation>,
    call: ChangeRequest,
  ): Promise<Stored<Automation>>;
  /** Steps and the event that delete an automation. */
  removal(automation: Stored<Automation>): { readonly steps: readonly Step[]; readonly event: DomainEvent };
  /** For a transaction that adds something to an automation: it must still exist. */
  lock(id: string): Step;
  find(alias: string): Promise<Stored<Automation> | undefined>;
  /** Throws 404 if it does not exist. */
  read(alias: string): Promise<Stored<Automation>>;
  get(id: string): Promise<Stored<Automation> | undefined>;
  page(request: ListRequest): Promise<JoinedPage<Automation>>;
  /** Registers an automation that a deployment hook names for the first time: steps for the hook's own transaction. */
  registration(alias: string, context: ChangeContext): RegistryChange;
  /**
   * Steps that set a definition in the caller's transaction; none if it is already set. Throws 409 if it is invalid.
   * `hash`: the hash of the whole design, if the definition is only a part of it.
   */
  definitionChange(
    automation: Stored<Automation>,
    definition: AutomationDefinition,
    context: ChangeContext,
    hash?: string,
  ): Promise<RegistryChange>;
  /** Masks stored definitions by the current rules. */
  readonly maskStored: MaskStored;
  /** The definition with its secrets, for a release; null if none is set. */
  definitionOf(automation: Stored<Automation>): AutomationDefinition | null;
}

export interface RegistryChange {
  readonly automation: Stored<Automation>;
  readonly steps: readonly Step[];
  readonly events: readonly DomainEvent[];
}

export const automationSubject = (automationId: string) => subjectOf("automation", automationId);

/** The number of problems in an error message. */
const maxProblems = 10;

export function createRegistry({ store, vault, system, settings }: Dependencies): Registry {
  const rows = collection<Automation>(store, "automations");
  const definitions = createSealedDefinitions(vault);
  // This statement changes nothing; it only locks the row.
  const lock = store.prepare((db, v: { id: string }) =>
    db
      .updateTable("automations")
      .set((eb) => ({ version: eb.ref("version") }))
      .where("id", "=", v.id),
  );
  const scopes = createScopeLimits(store);

  async function read(alias: string): Promise<Stored<Automation>> {
    const found = await rows.byKey(keyOf(alias));
    if (!found) throw notFound(`There is no automation "${alias}".`);
    return found;
  }

  const created = (alias: string, context: ChangeContext): Automation => ({
    id: system.newId(),
    alias,
    description: "",
    definition: null,
    design_content_hash: null,
    created_at: context.time,
    updated_at: context.time,
    created_by: context.actor,
    updated_by: null,
  });
  const freshRow = (doc: Automation, sealed: string | null) => {
    const { id, alias } = doc;
    return { id, key: keyOf(alias), doc, environmentId: null, owner: null, state: null, sealed };
  };
  const creation = ({ id, alias, design_content_hash }: Automation): DomainEvent => ({
    kind: "automation.created",
    subject: automationSubject(id),
    data: { alias, design_content_hash },
  });

  /** A definition may have a megabyte, so other requests get a turn between the steps that process all of it. */
  async function defined(alias: string, definition: AutomationDefinition, before?: StoredDefinition) {
    const turn = turns();
    const problems = definitionProblems(definition);
    if (problems.length > 0) throw conflict(problems.slice(0, maxProblems).join(" "));
    await turn();
    const { masked, sealed } = definitions.seal(definition, before);
    await turn();
    const design_content_hash = await definitionHash(alias, masked, turn);
    await turn();
    return { definition: masked, design_content_hash, sealed };
  }

  /** Parses a stored definition. */
  const definitionOf = ({ doc, sealed }: Stored<Automation>) =>
    doc.definition && definitions.open(AutomationDefinition.check(doc.definition, [], []), sealed);

  async function definitionChange(
    before: Stored<Automation>,
    definition: AutomationDefinition,
    context: ChangeContext,
    hash?: string,
  ): Promise<RegistryChange> {
    requireProcessTasks(definition, settings, context);
    const { alias } = before.doc;
    const stored = before.doc.definition && AutomationDefinition.check(before.doc.definition, [], []);
    const { sealed, ...fields } = await defined(
      alias,
      definition,
      stored ? { masked: stored, sealed: before.sealed } : undefined,
    );
    await scopes.requireMayRefer(definition, {
      context,
      before: before.doc.definition ?? undefined,
      destinationAt: taskDestinations(definition),
    });
    const doc: Automation = {
      ...before.doc,
      ...fields,
      ...(hash !== undefined && { design_content_hash: hash }),
      description: definition.description || before.doc.description,
      updated_at: context.time,
      updated_by: context.actor,
    };
    const after = { ...before, doc, sealed, version: before.version + 1 };
    const isSameDesign = hash === undefined || hash === before.doc.design_content_hash;
    if (isSameDesign && encodeJson(definitionOf(after)) === encodeJson(definitionOf(before))) {
      return { automation: before, steps: [], events: [] };
    }
    const { design_content_hash } = doc;
    const event = {
      kind: "automation.definition_set",
      subject: automationSubject(doc.id),
      data: { alias, design_content_hash, ...eventChanges(before.doc, doc) },
    };
    return { automation: after, steps: rows.update(before, { doc, sealed }), events: [event] };
  }

  return {
    async create({ alias, description, definition }, { context, saveAnswer }) {
      if (definition) {
        requireProcessTasks(definition, settings, context);
      }
      const { sealed, ...fields } = definition ? await defined(alias, definition) : { sealed: null };
      if (definition) {
        await scopes.requireMayRefer(definition, { context, destinationAt: taskDestinations(definition) });
      }
      const text = description || definition?.description || "";
      const doc: Automation = { ...created(alias, context), ...fields, description: text };
      const fresh = freshRow(doc, sealed);
      const duplicate = () => conflict(`There is already an automation "${alias}".`);
      await store.apply({
        context,
        steps: [...rows.insert(fresh, { duplicate }), ...saveAnswer(encodeJson(doc), 1)],
        events: [creation(doc)],
      });
      return { ...fresh, version: 1 };
    },
    setDefinition: (alias, definition, { context, expectedVersion }) =>
      store.retryOnConflict(async () => {
        const before = await read(alias);
        requireVersion(before, expectedVersion);
        const { automation, steps, events } = await definitionChange(before, definition, context);
        if (steps.length > 0) await store.apply({ context, steps, events });
        return automation;
      }),
    update: (alias, { description }, { context, expectedVersion }) =>
      store.retryOnConflict(async () => {
        const before = await read(alias);
        requireVersion(before, expectedVersion);
        if (description === undefined || description === before.doc.description) return before;
        const doc = { ...before.doc, description, updated_at: context.time, updated_by: context.actor };
        const event = {
          kind: "automation.updated",
          subject: automationSubject(doc.id),
          data: { alias, description, ...eventChanges(before.doc, doc) },
        };
        await store.apply({ context, steps: rows.update(before, { doc }), events: [event] });
        return { ...before, doc, version: before.version + 1 };
      }),
    removal: (automation) => ({
      steps: rows.remove(automation),
      event: {
        kind: "automation.deleted",
        subject: automationSubject(automation.id),
        data: { alias: automation.doc.alias },
      },
    }),
    lock: (id) => ({ ...lock({ id }), expect: 1 }),
    find: (alias) => rows.byKey(keyOf(alias)),
    read,
    get: (id) => rows.get(id),
    page: (request) => rows.list({}, request),
    registration(alias, context) {
      const doc = created(alias, context);
      const fresh = freshRow(doc, null);
      return { automation: { ...fresh, version: 1 }, steps: rows.insert(fresh), events: [creation(doc)] };
    },
    definitionChange,
    definitionOf,
    maskStored: (context) =>
      maskTable<Automation>(
        store,
        "automations",
        (doc, before) => {
          if (doc.definition === null) return { doc, sealed: before };
          const stored = AutomationDefinition.check(doc.definition, [], []);
          const { masked, sealed } = definitions.reseal({ masked: stored, sealed: before });
          const isSame = encodeJson(masked) === encodeJson(stored);
          return isSame ? { doc, sealed: before } : { doc: { ...doc, definition: masked }, sealed };
        },
        context,
      ),
  };
}
