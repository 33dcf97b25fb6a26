import type {
  Environment,
  EnvironmentCheck,
  EnvironmentCreateRequest,
  EnvironmentUpdateRequest,
} from "@lakehelm/contract";
import { maskUrls } from "@lakehelm/contract/connections";
import { encodeJson } from "@lakehelm/contract/schema";
import { heldRole } from "@lakehelm/contract/text";
import { eventChanges } from "../../core/changes/event-changes.ts";
import { changesBetween, type FieldChange } from "../../core/changes/field-changes.ts";
import { turns } from "../../core/concurrency/turns.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, forbidden, notFound } from "../../core/errors.ts";
import { definedOnly } from "../../core/patch.ts";
import { createEncryptedMaps } from "../../core/secrets/encrypted-map.ts";
import { createScopeLimits } from "../../core/secrets/scope-limits.ts";
import {
  type DestinationAt,
  destinationOf as hostDestination,
} from "../../core/secrets/secret-destination.ts";
import { type MaskStored, maskTable } from "../../core/secrets/stored-secrets.ts";
import {
  collection,
  type JoinedPage,
  keyOf,
  requireVersion,
  type Stored,
  textOf,
} from "../../core/store/collection.ts";
import { isPlain, type ListRequest } from "../../core/store/list-request.ts";
import type { ChangeRequest, CreateRequest } from "../../core/store/requests.ts";
import type { ChangeContext, DomainEvent, Step } from "../../core/store/store.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { Platforms } from "../../runtime/platforms/platform-requests.ts";
import { isByPlan } from "../../web/http/by-plan.ts";
import { roleIn, visibleEnvironments } from "../../web/http/call.ts";
import type { Call } from "../../web/http/handler.ts";
import { movedCredentialFields } from "./credential-fields.ts";

/** What other resources do when an environment is deleted. */
export interface EnvironmentRemoval {
  /** Runs the deletion, or rejects it if the workspace still has files. */
  readonly whileEmpty: (environmentId: string, remove: () => Promise<void>) => Promise<void>;
  /** Steps for the deletion: keep the records that outlive the environment. */
  readonly keepRecords: (environmentId: string) => Promise<Step[]>;
  /** The number of tables in its warehouse. `drop` deletes them once the environment is deleted. */
  readonly tables: (environmentId: string) => Promise<number>;
  readonly drop: (environmentId: string) => Promise<void>;
}

/** A change that another admin asked for: it is made as it was approved, or not at all. */
interface ApprovedChange {
  /** The version of the environment when the change was asked for. */
  readonly version: number;
  readonly steps: readonly Step[];
  readonly events: readonly DomainEvent[];
}

/**
 * Where changes need plans, one admin may change only these: they decide neither where data goes nor what needs a plan.
 */
const freeFields: ReadonlySet<string> = new Set([
  "description",
  "isActive",
  "gitProvider",
  "gitRepository",
  "targetGitBranch",
  "updatedAt",
  "updatedBy",
]);

/** The environments that a list is limited to; with neither field: all. */
interface EnvironmentFilter {
  readonly environmentId?: string;
  readonly environmentIds?: readonly string[];
}

/** Names that a deploy workflow may use before the environment exists. */
const createdOnFirstUse = ["dev", "test", "prod"];

/** What a request for a list says about environments. */
type ListCall = Pick<Call, "caller" | "header"> & { readonly query: object };

export interface Environments {
  create(body: EnvironmentCreateRequest, call: CreateRequest): Promise<Stored<Environment>>;
  update(
    reference: string,
    body: EnvironmentUpdateRequest,
    call: ChangeRequest & { readonly approved?: ApprovedChange },
  ): Promise<Stored<Environment>>;
  /**
   * What an update would change, with secrets as masks. Throws if it is invalid, or uses secrets that the caller may
   * not.
   */
  preview(reference: string, body: EnvironmentUpdateRequest, context: ChangeContext): Promise<FieldChange[]>;
  remove(reference: string, force: boolean, call: ChangeRequest): Promise<Environment>;
  find(reference: string): Promise<Stored<Environment> | undefined>;
  /** By id or name; throws 404 if it does not exist. */
  read(reference: string): Promise<Stored<Environment>>;
  /** `visible`: the ids of the environments that the caller sees; undefined: all. */
  page(request: ListRequest, visible: readonly string[] | undefined): Promise<JoinedPage<Environment>>;
  /** The environment to act in: named by `X-Environment-Id`, or the default one. Unknown 404, inactive 409. */
  actIn(reference: string | undefined): Promise<EnvironmentContext>;
  /** Checks what works in an environment and what does not, also if it is inactive. */
  check(reference: string, signal: AbortSignal): Promise<EnvironmentCheck>;
  /** Also true for a deleted environment, whose jobs are removed with it. */
  isActive(id: string): Promise<boolean>;
  /** The filter of a list: `X-Environment-Id` if it was sent, otherwise the environments that the caller sees. */
  filter(call: ListCall): Promise<EnvironmentFilter>;
  /** For deploy hooks: `dev`, `test` and `prod` are created on first use. */
  forHook(name: string, context: ChangeContext): Promise<EnvironmentContext>;
  /** The configuration with its secret values, only for the platform. */
  configurationOf(reference: string): Promise<Readonly<Record<string, unknown>>>;
  /** Masks stored environments by the current rules. */
  readonly maskStored: MaskStored;
  /** Clears the cache, after environments were written in a transaction scope. */
  forget(): void;
  /** The first start creates the default environment. */
  ensureDefault(context: ChangeContext): Promise<void>;
}

/** For tests without files, deployments and a warehouse. */
const noOtherResources: EnvironmentRemoval = {
  whileEmpty: (_, remove) => remove(),
  keepRecords: async () => [],
  tables: async () => 0,
  drop: async () => {},
};

function forceProblem({ name, protected: isProtected }: Environment, tables: number): Error | undefined {
  const count = `${tables} table${tables === 1 ? "" : "s"}`;
  const whole = "To delete it with its tables, send force=true.";
  if (isProtected && tables > 0)
    return conflict(`The environment "${name}" is protected, and its warehouse has ${count}. ${whole}`);
  if (isProtected) return conflict(`The environment "${name}" is protected. To delete it, send force=true.`);
  if (tables > 0) return conflict(`The warehouse of the environment "${name}" has ${count}. ${whole}`);
  return undefined;
}

export function createEnvironments(
  { settings, store, vault, system }: Dependencies,
  platforms: Platforms,
  removal: EnvironmentRemoval = noOtherResources,
): Environments {
  const rows = collection<Environment>(store, "environments");
  const maps = createEncryptedMaps(vault);
  const scopes = createScopeLimits(store);
  const taken = (name: string) => () => conflict(`There is already an environment named "${name}".`);

  /** Nearly every request reads its environment. With a single writer, a cached row stays valid until we write it. */
  const cache = new Map<string, Stored<Environment>>();

  async function find(reference: string): Promise<Stored<Environment> | undefined> {
    const existing = cache.get(reference);
    if (existing) return existing;
    const found = await lookUp(reference);
    if (found && store.engine.exclusive) cache.set(reference, found);
    return found;
  }

  const apply: typeof store.apply = (change) => store.apply(change).finally(() => cache.clear());

  async function lookUp(reference: string): Promise<Stored<Environment> | undefined> {
    // Most references are names, and a name may look like an id: tries both, the likelier first.
    const looksLikeId = reference.length === 36 && reference[14] === "7";
    const byId = () => rows.get(reference);
    const byName = () => rows.byKey(keyOf(reference));
    return looksLikeId ? ((await byId()) ?? byName()) : ((await byName()) ?? byId());
  }

  async function read(reference: string): Promise<Stored<Environment>> {
    const found = await find(reference);
    if (!found) throw notFound(`There is no environment "${reference}".`);
    return found;
  }

  async function create(
    body: EnvironmentCreateRequest,
    { context, saveAnswer }: CreateRequest,
  ): Promise<Stored<Environment>> {
    requireNoCredentials(body.gitRepository);
    requireKnownChanges(body.configuration);
    // A configuration may have a megabyte, so other requests get a turn between the steps that process all of it.
    const turn = turns();
    const { masked, sealed } = maps.seal(body.configuration);
    await turn();
    const id = system.newId();
    const doc: Environment = {
      id,
      name: body.name,
      description: body.description ?? null,
      protected: body.protected,
      platform: body.platform ?? settings.PLATFORM_DEFAULT_PLATFORM,
      gitProvider: body.gitProvider ?? null,
      gitRepository: body.gitRepository ?? null,
      targetGitBranch: body.targetGitBranch ?? null,
      secretScope: body.secretScope ?? null,
      dataPlatformClientIdKey: body.dataPlatformClientIdKey ?? null,
      dataPlatformClientSecretKey: body.dataPlatformClientSecretKey ?? null,
      configuration: masked,
      isActive: body.isActive ?? true,
      createdAt: context.time,
      updatedAt: context.time,
      createdBy: body.createdBy ?? context.actor,
      updatedBy: null,
    };
    // A scope cannot be limited to an environment that does not exist yet.
    await scopes.requireMayRefer(referencesOf(doc, body.configuration), {
      context,
      destinationAt: destinationsOf(doc),
    });
    await turn();
    const fresh = { id, key: keyOf(doc.name), doc, environmentId: null, owner: null, state: null, sealed };
    await apply({
      context,
      steps: [...saveAnswer(textOf(doc), 1), ...rows.insert(fresh, { duplicate: taken(doc.name) })],
      events: [
        {
          kind: "environment.created",
          subject: `environment/${id}`,
          data: { name: doc.name, platform: doc.platform },
        },
      ],
    });
    return { ...fresh, version: 1 };
  }

  /** Requests without `X-Environment-Id` refer to the default environment by name. */
  function keepDefault({ name }: Environment): void {
    if (name !== settings.PLATFORM_DEFAULT_ENVIRONMENT) return;
    throw conflict(`"${name}" is the default environment of this server. It cannot be renamed or deleted.`);
  }

  async function contextOf(stored: Stored<Environment>): Promise<EnvironmentContext> {
    const { doc: environment } = stored;
    if (!environment.isActive) throw conflict(`The environment "${environment.name}" is not active.`);
    return { environment, platform: platforms.platform(environment.platform) };
  }

  return {
    create,
    find,
    read,
    async page(request, visible) {
      if (!visible || !isPlain(request)) return rows.list({ ids: visible }, request);
      const { skip, limit } = request;
      // The user has a role in only a few environments. Ids are in the order of creation, like the list of all.
      const found = await Promise.all(visible.toSorted().map((id) => rows.text(id)));
      const texts = found.flatMap((environment) => environment?.text ?? []);
      return { joined: texts.slice(skip, skip + limit).join(","), total: texts.length };
    },
    async update(reference, body, { context, expectedVersion, approved }) {
      return store.retryOnConflict(async () => {
        const before = await read(reference);
        requireVersion(before, expectedVersion);
        if (approved && approved.version !== before.version) {
          throw conflict(
            `The environment "${before.doc.name}" has changed since this was asked for. Ask for it again.`,
          );
        }
        const { doc, sealed } = changed(before, body, context);
        if (isSame(before, doc, sealed)) {
          if (approved) await apply({ context, steps: approved.steps, events: approved.events });
          return before;
        }
        if (!approved) requireFree(before, { doc, sealed });
        if (doc.name !== before.doc.name) keepDefault(before.doc);
        requireMayMove(before, { doc, sealed }, context);
        await requireMayRefer(before, { doc, sealed }, context);
        await apply({
          context,
          steps: [
            ...rows.update(before, { doc, sealed, key: keyOf(doc.name) }, { duplicate: taken(doc.name) }),
            ...(approved?.steps ?? []),
          ],
          events: [
            ...(approved?.events ?? []),
            {
              kind: "environment.updated",
              subject: `environment/${doc.id}`,
              data: { name: doc.name, fields: Object.keys(body), ...eventChanges(before.doc, doc) },
            },
          ],
        });
        return { ...before, doc, sealed, key: keyOf(doc.name), version: before.version + 1 };
      });
    },
    async preview(reference, body, context) {
      const before = await read(reference);
      const { doc, sealed } = changed(before, body, context);
      if (doc.name !== before.doc.name) keepDefault(before.doc);
      await requireMayRefer(before, { doc, sealed }, context);
      const comparable = (one: Pick<Stored<Environment>, "doc" | "sealed">) => {
        const { updatedAt: _, updatedBy: __, ...masked } = one.doc;
        return { masked, open: { ...masked, configuration: maps.open(masked.configuration, one.sealed) } };
      };
      return changesBetween(comparable(before), comparable({ doc, sealed }));
    },
    async remove(reference, force, { context, expectedVersion }) {
      const removed = await store.retryOnConflict(async () => {
        const before = await read(reference);
        requireVersion(before, expectedVersion);
        const { id, name } = before.doc;
        keepDefault(before.doc);
        if (isByPlan(before.doc, settings.PLATFORM_PROTECTED_CHANGES)) throw conflict(byTwoAdmins(name));
        const needsForce = force ? undefined : forceProblem(before.doc, await removal.tables(id));
        const inUse = () => conflict(`The environment "${name}" still has resources. Delete them first.`);
        await removal.whileEmpty(id, async () =>
          apply({
            context,
            steps: [
              ...(await removal.keepRecords(id)),
              ...scopes.removalIn(id),
              ...rows.remove(before, { referenced: inUse }),
              // The deletion is tried first, so that `force` is asked for only where it helps. Then this second removal
              // misses the row, which rolls everything back.
              ...(needsForce ? rows.remove(before, { missed: () => needsForce }) : []),
            ],
            events: [{ kind: "environment.deleted", subject: `environment/${id}`, data: { name } }],
          }),
        );
        return before.doc;
      });
      await removal.drop(removed.id);
      return removed;
    },
    async actIn(reference) {
      return contextOf(await read(reference ?? settings.PLATFORM_DEFAULT_ENVIRONMENT));
    },
    async check(reference, signal) {
      const { doc } = await read(reference);
      const platform = platforms.platform(doc.platform);
      const findings = (await platform.check?.(doc, signal)) ?? [];
      return { ok: findings.every(({ status }) => status !== "failed"), platform: platform.name, findings };
    },
    isActive: async (id) => (await find(id))?.doc.isActive ?? true,
    async filter({ caller, header, query }) {
      const reference = header("x-environment-id");
      const { environment: wanted } = query as { readonly environment?: string };
      if (wanted !== undefined) {
        const { id, doc } = await read(wanted);
        // The same answer as for an environment that does not exist.
        if (roleIn(caller, id) === "none") throw notFound(`There is no environment "${wanted}".`);
        if (reference !== undefined && (await read(reference)).id !== id) {
          throw conflict(`X-Environment-Id names another environment than the parameter: "${doc.name}".`);
        }
        return { environmentId: id };
      }
      if (reference === undefined) {
        const environmentIds = visibleEnvironments(caller);
        return environmentIds ? { environmentIds } : {};
      }
      const { id, doc } = await read(reference);
      if (!doc.isActive) throw conflict(`The environment "${doc.name}" is not active.`);
      return { environmentId: id };
    },
    async forHook(name, context) {
      const existing = await find(name);
      if (existing) return contextOf(existing);
      if (!createdOnFirstUse.includes(name)) throw notFound(`There is no environment "${name}".`);
      try {
        return await contextOf(
          await create({ name, protected: false, configuration: {} }, { context, saveAnswer: () => [] }),
        );
      } catch (error) {
        // Another hook has created the environment concurrently.
        const created = await find(name);
        if (created) return contextOf(created);
        throw error;
      }
    },
    async configurationOf(reference) {
      const { doc, sealed } = await read(reference);
      return maps.open(doc.configuration, sealed);
    },
    maskStored: (context) =>
      maskTable<Environment>(
        store,
        "environments",
        (doc, before) => {
          const { masked, sealed } = maps.reseal({ masked: doc.configuration, sealed: before });
          const gitRepository = doc.gitRepository && maskUrls(doc.gitRepository);
          return { doc: { ...doc, gitRepository, configuration: masked }, sealed };
        },
        context,
      ).finally(() => cache.clear()),
    forget: () => cache.clear(),
    async ensureDefault(context) {
      const name = settings.PLATFORM_DEFAULT_ENVIRONMENT;
      if (await find(name)) return;
      const body = { name, description: "Created at the first start", protected: false, configuration: {} };
      await create(body, { context, saveAnswer: () => [] }).catch(async (error) => {
        if (!(await find(name))) throw error;
      });
    },
  };

  function requireFree(before: Stored<Environment>, after: Pick<Stored<Environment>, "doc" | "sealed">) {
    if (!isByPlan(before.doc, settings.PLATFORM_PROTECTED_CHANGES)) return;
    const guarded = ({ doc, sealed }: Pick<Stored<Environment>, "doc" | "sealed">) =>
      encodeJson(
        Object.entries({ ...doc, configuration: maps.open(doc.configuration, sealed) }).filter(
          ([field]) => !freeFields.has(field),
        ),
      );
    if (guarded(before) !== guarded(after)) throw conflict(byTwoAdmins(before.doc.name));
  }

  /** Only an admin may move credentials: the platform would send them to the new host with its next request. */
  function requireMayMove(
    before: Stored<Environment>,
    after: Pick<Stored<Environment>, "doc" | "sealed">,
    { actor, role }: ChangeContext,
  ): void {
    if (role === undefined || role === "admin") return;
    const open = ({ doc, sealed }: typeof after) => ({
      ...doc,
      configuration: maps.open(doc.configuration, sealed),
    });
    const moved = movedCredentialFields(
      open(before),
      open(after),
      (name) => platforms.all.find((platform) => platform.name === name)?.configurationKeys ?? {},
    );
    if (moved.length === 0) return;
    throw forbidden(
      `${moved.join(", ")}: this decides where credentials of the environment "${before.doc.name}" go, or which ones. Only its admins may change that. ${actor} has ${heldRole(role)}.`,
    );
  }

  async function requireMayRefer(
    before: Stored<Environment>,
    after: Pick<Stored<Environment>, "doc" | "sealed">,
    context: ChangeContext,
  ): Promise<void> {
    const [tree, treeBefore] = [after, before].map(({ doc, sealed }) =>
      referencesOf(doc, maps.open(doc.configuration, sealed)),
    );
    if (encodeJson(tree) === encodeJson(treeBefore)) return;
    await scopes.requireMayRefer(tree, {
      context,
      environmentId: before.id,
      before: treeBefore,
      destinationAt: destinationsOf(after.doc),
    });
  }

  /** A platform that connects nowhere sends nothing. */
  function destinationsOf({ platform: name, configuration }: Environment): DestinationAt {
    const platform = platforms.all.find((one) => one.name === name);
    return ([section, key]) => {
      if (!platform?.credentialHost) return [];
      const at = section === "configuration" ? String(key) : undefined;
      return hostDestination(platform.credentialHost(configuration, at));
    };
  }

  /** A change without effect is not written and has no event. */
  function isSame(before: Stored<Environment>, doc: Environment, sealed: string | null): boolean {
    const { updatedAt, updatedBy } = before.doc;
    const opened = { ...doc, updatedAt, updatedBy, configuration: maps.open(doc.configuration, sealed) };
    const previous = { ...before.doc, configuration: maps.open(before.doc.configuration, before.sealed) };
    return encodeJson(opened) === encodeJson(previous);
  }

  /** Null clears nullable fields and leaves the others unchanged; `configuration` is replaced as a whole. */
  function changed(before: Stored<Environment>, body: EnvironmentUpdateRequest, context: ChangeContext) {
    const { configuration, name, protected: isProtected, platform, isActive, updatedBy, ...nullable } = body;
    if (configuration?.changes !== before.doc.configuration.changes) requireKnownChanges(configuration);
    if (body.gitRepository !== before.doc.gitRepository) requireNoCredentials(body.gitRepository);
    const isSamePlatform = (platform ?? before.doc.platform) === before.doc.platform;
    // The platform receives the secrets: another platform must not get those that are stored.
    const replaced =
      configuration || !isSamePlatform
        ? maps.seal(
            configuration ?? before.doc.configuration,
            { masked: before.doc.configuration, sealed: before.sealed },
            { isSameDestination: () => isSamePlatform, isOneSection: true, parameterSections: [""] },
          )
        : undefined;
    const doc: Environment = {
      ...before.doc,
      ...definedOnly(nullable),
      name: name ?? before.doc.name,
      protected: isProtected ?? before.doc.protected,
      platform: platform ?? before.doc.platform,
      isActive: isActive ?? before.doc.isActive,
      configuration: replaced?.masked ?? before.doc.configuration,
      updatedAt: context.time,
      updatedBy: updatedBy ?? context.actor,
    };
    return { doc, sealed: replaced ? replaced.sealed : before.sealed };
  }
}

/** The fields that refer to secrets or decide where the platform sends them. Some name only the key of a secret. */
const referencesOf = (
  { platform, secretScope, dataPlatformClientIdKey, dataPlatformClientSecretKey }: Environment,
  configuration: Readonly<Record<string, unknown>>,
) => ({
  platform,
  configuration,
  secrets: [dataPlatformClientIdKey, dataPlatformClientSecretKey, configuration.token_key]
    .filter((key) => typeof key === "string" && key !== "")
    .map((key) => `{{secrets/${secretScope || "lakehelm"}/${key}}}`),
});

function requireKnownChanges(configuration: Readonly<Record<string, unknown>> | null | undefined): void {
  const changes = configuration?.changes;
  if (changes === undefined || changes === "plan" || changes === "direct") return;
  throw conflict(
    "configuration.changes is `plan` (definitions change only by plans) or `direct`, the default.",
  );
}

const byTwoAdmins = (name: string) =>
  `The environment "${name}" takes changes only by plans, so this takes two admins. Ask for it with: lakehelm environments request-change ${name} --reason "…" --set change.<field>=<value> (or --lift to allow direct changes again). Another admin approves it with: lakehelm environments approve-change ${name}`;

/** Every caller can read the address of the repository. */
function requireNoCredentials(gitRepository: string | null | undefined): void {
  if (!gitRepository || maskUrls(gitRepository) === gitRepository) return;
  throw conflict("gitRepository must not contain credentials: every caller can read it.");
}
