import type { Agent, AgentVersion, EndpointBody, endpoints } from "@lakehelm/contract";
import { programs } from "@lakehelm/contract/connections";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, forbidden, notFound } from "../../core/errors.ts";
import { createEncryptedMaps } from "../../core/secrets/encrypted-map.ts";
import { createScopeLimits } from "../../core/secrets/scope-limits.ts";
import type { FreeFormMap } from "../../core/secrets/secret-path.ts";
import { type MaskStored, maskTable } from "../../core/secrets/stored-secrets.ts";
import {
  collection,
  type JoinedPage,
  keyOf,
  requireVersion,
  type Stored,
  textOf,
} from "../../core/store/collection.ts";
import type { ListRequest } from "../../core/store/list-request.ts";
import type { ChangeRequest, CreateRequest } from "../../core/store/requests.ts";
import type { ChangeContext, DomainEvent, Step } from "../../core/store/store.ts";
import { mayAct } from "../../web/http/call.ts";
import type { Caller } from "../../web/http/handler.ts";
import { type AgentRows, type CodeOwner, hasCode } from "./agent-rows.ts";
import { touched } from "./components.ts";
import { isFullyStopped } from "./run-state.ts";
import { type AreUnconfined, type Claim, requireMayRunCode } from "./source-path.ts";

export interface Versions {
  create(
    agentReference: string,
    body: EndpointBody<typeof endpoints.createAgentVersion>,
    call: CreateRequest & { readonly caller: Caller },
  ): Promise<Stored<AgentVersion>>;
  read(agentReference: string, version: string): Promise<Stored<AgentVersion>>;
  /** Returns the agent. */
  remove(
    agentReference: string,
    version: string,
    call: ChangeRequest & { readonly caller: Caller },
  ): Promise<Agent>;
  page(agentId: string, request: ListRequest): Promise<JoinedPage<AgentVersion>>;
  /** The version that was registered last. */
  newest(agentId: string): Promise<string | null>;
  /** The folder of the version's own code; null if it has none. */
  sourcePath(agentId: string, version: string | null): Promise<string | null>;
  /** The settings of the version. `open` has the secret values and is for the platform only. */
  settings(
    agentId: string,
    version: string,
  ): Promise<{ readonly open: FreeFormMap; readonly masked: FreeFormMap } | undefined>;
  /** The agent versions with code of their own. */
  withCode(): Promise<(CodeOwner & Pick<AgentVersion, "agent_id">)[]>;
  /** For the transaction of a deploy hook: registers an unknown version. */
  registration(
    agent: Agent,
    version: string,
    context: ChangeContext,
  ): Promise<{ readonly steps: Step[]; readonly events: DomainEvent[] }>;
  /** Masks stored versions by the current rules. */
  readonly maskStored: MaskStored;
  /** For the transaction that removes an agent: removes all of its versions. */
  removalOfAll(agentId: string): Promise<Step[]>;
}

type Registration = Pick<AgentVersion, "version" | "source_path" | "metadata">;

export function createVersions(
  { store, vault, system }: Dependencies,
  agentRows: AgentRows,
  { claim, areUnconfined }: { readonly claim: Claim; readonly areUnconfined: AreUnconfined },
): Versions {
  const rows = collection<AgentVersion>(store, "versions");
  const maps = createEncryptedMaps(vault);
  const scopes = createScopeLimits(store);
  const idsOf = store.prepare((db, v: { owner: string }) =>
    db.selectFrom("versions").select("id").where("owner", "=", v.owner),
  );
  const last = store.prepare((db, v: { owner: string }) =>
    db.selectFrom("versions").select("id").where("owner", "=", v.owner).orderBy("position", "desc").limit(1),
  );
  const coded = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("versions").select("doc").where("doc", "like", hasCode),
  );
  const anyOf = store.prepare((db, v: { owner: string }) =>
    db
      .updateTable("versions")
      .set((eb) => ({ owner: eb.ref("owner") }))
      .where("owner", "=", v.owner),
  );

  function declared(agent: Agent, registration: Registration, context: ChangeContext) {
    const id = system.newId();
    const { version, source_path, metadata } = registration;
    const { masked, sealed } = maps.seal(metadata);
    const doc: AgentVersion = {
      id,
      agent_id: agent.id,
      version,
      source_path,
      metadata: masked,
      created_at: context.time,
      created_by: context.actor,
    };
    const key = keyOf(agent.id, version);
    return { id, key, doc, environmentId: null, owner: agent.id, state: null, sealed };
  }
  const registered = (agent: Agent, version: string): DomainEvent => ({
    kind: "agent.version_created",
    subject: `agent/${agent.id}`,
    data: { name: agent.name, version },
  });

  async function read(agent: Agent, version: string): Promise<Stored<AgentVersion>> {
    const found = await rows.byKey(keyOf(agent.id, version));
    if (!found) throw notFound(`The agent "${agent.name}" has no version "${version}".`);
    return found;
  }

  return {
    read: async (agentReference, version) => read((await agentRows.read(agentReference)).doc, version),
    remove: (agentReference, version, { context, caller, expectedVersion }) =>
      store.retryOnConflict(async () => {
        const agent = await agentRows.read(agentReference);
        const before = await read(agent.doc, version);
        requireVersion(before, expectedVersion);
        if (before.doc.source_path !== null && !mayAct(caller, "admin")) {
          throw forbidden("Only an admin may delete a version with a source_path: its files are protected.");
        }
        requireUnused(agent.doc, version);
        const { id, name } = agent.doc;
        await store.apply({
          context,
          steps: [
            // A concurrent release or start that uses the version also changes the agent: one of the two is retried.
            ...agentRows.update(agent, touched(agent.doc, context)),
            ...rows.remove(before),
          ],
          events: [{ kind: "agent.version_deleted", subject: `agent/${id}`, data: { name, version } }],
        });
        return agent.doc;
      }),
    async create(agentReference, body, { context, caller, saveAnswer }) {
      await requireMayRunCode(caller, body.source_path, areUnconfined);
      const { version, source_path = null, metadata } = body;
      await scopes.requireMayRefer(metadata, { context, destinationAt: () => [programs] });
      const register = async () => {
        const { doc: agent } = await agentRows.read(agentReference);
        const fresh = declared(agent, { version, source_path, metadata }, context);
        const taken = () => conflict(`The agent "${agent.name}" already has a version "${version}".`);
        await store.apply({
          context,
          steps: [
            ...saveAnswer(textOf(fresh.doc), 1),
            agentRows.lock(agent.id),
            ...rows.insert(fresh, { duplicate: taken }),
          ],
          events: [registered(agent, version)],
        });
        return { ...fresh, version: 1 };
      };
      return source_path === null
        ? store.retryOnConflict(register)
        : claim(source_path, () => store.retryOnConflict(register));
    },
    page: (agentId, request) => rows.list({ owner: agentId }, request),
    async newest(agentId) {
      const found = await store.one(last({ owner: agentId }));
      return (found && (await rows.get(found.id)))?.doc.version ?? null;
    },
    async sourcePath(agentId, version) {
      if (version === null) return null;
      return (await rows.byKey(keyOf(agentId, version)))?.doc.source_path ?? null;
    },
    async settings(agentId, version) {
      const found = await rows.byKey(keyOf(agentId, version));
      if (!found) return undefined;
      const { metadata: masked } = found.doc;
      return { masked, open: maps.open(masked, found.sealed) };
    },
    async withCode() {
      const found = (await store.all(coded({}))).map(({ doc }): AgentVersion => JSON.parse(doc));
      return found.flatMap(({ version, source_path, agent_id }) =>
        source_path === null ? [] : { name: version, source_path, agent_id },
      );
    },
    async registration(agent, version, context) {
      if (await rows.byKey(keyOf(agent.id, version))) return { steps: [], events: [] };
      const fresh = declared(agent, { version, source_path: null, metadata: {} }, context);
      return { steps: rows.insert(fresh), events: [registered(agent, version)] };
    },
    maskStored: (context) =>
      maskTable<AgentVersion>(
        store,
        "versions",
        (doc, before) => {
          const { masked, sealed } = maps.reseal({ masked: doc.metadata, sealed: before });
          return { doc: { ...doc, metadata: masked }, sealed };
        },
        context,
      ),
    async removalOfAll(agentId) {
      const ids = await store.all(idsOf({ owner: agentId }));
      const found = await Promise.all(ids.map(({ id }) => rows.get(id)));
      return [
        agentRows.lock(agentId),
        ...found.flatMap((version) => (version ? rows.remove(version) : [])),
        // If a version was registered concurrently, the transaction is retried: no version may outlive its agent.
        { ...anyOf({ owner: agentId }), expect: 0 },
      ];
    },
  };
}

function requireUnused({ name, releases, components }: Agent, version: string): void {
  const release = releases.find((one) => one.version === version);
  if (release) {
    throw conflict(
      `Version "${version}" is the release of "${name}" in ${release.environment}. Activate another version or delete the release first.`,
    );
  }
  const user = components.find((one) => one.version === version && !isFullyStopped(one));
  if (user) {
    throw conflict(
      `Stop ${user.component} of "${name}" in the environment ${user.environment_id} first: it is ${user.observed_state} with version "${version}".`,
    );
  }
}
