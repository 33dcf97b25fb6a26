import type { Agent, AgentRelease, EnvironmentSummary } from "@lakehelm/contract";
import { decodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import { requirePlainName } from "../../core/plain-name.ts";
import { type Collection, collection, keyOf, type Stored } from "../../core/store/collection.ts";
import type { Step } from "../../core/store/store.ts";
import { releaseIn, usesEnvironment } from "./components.ts";

/**
 * A row in `agent_environments` for each environment that an agent uses. Its foreign key prevents the environment from
 * being deleted, and the environment's summary reads the releases from these rows.
 */
interface AgentEnvironment {
  readonly artifact: string;
  readonly release: AgentRelease | null;
}

export type ReleaseBrief = EnvironmentSummary["current_releases"][number];

export interface AgentRows extends Pick<Collection<Agent>, "get" | "list"> {
  /** By id, name or alias. */
  find(reference: string): Promise<Stored<Agent> | undefined>;
  /** Throws 404 if it does not exist. */
  read(reference: string): Promise<Stored<Agent>>;
  /** The agent with its name and aliases; a taken name is a conflict, unless `refused` defines another error. */
  insert(doc: Agent, refused?: Step["refused"]): Step[];
  update(before: Stored<Agent>, doc: Agent): Step[];
  /** Steps that replace the agent's aliases with those of the document; an alias that is taken is a conflict. */
  aliasSteps(before: Agent, doc: Agent): Step[];
  /** Steps that keep the agent's row for an environment consistent with its document. */
  environmentSteps(doc: Agent, environmentId: string): Promise<Step[]>;
  /** Removes the agent with its aliases and environment rows. */
  remove(before: Stored<Agent>): Promise<Step[]>;
  /** For a transaction that refers to the agent: it must still exist, and its deletion waits for the transaction. */
  lock(id: string): Step;
  /** For a transaction that relies on the version of the agent that was read, and does not change it. */
  lockVersion(before: Stored<Agent>): Step;
  currentReleases(environmentId: string): Promise<ReleaseBrief[]>;
  /** The agents with a component that is recorded as running. */
  running(): Promise<Agent[]>;
  /** The agents with a component that should run. */
  wanted(): Promise<Agent[]>;
  /** The agents with code of their own. */
  withCode(): Promise<CodeOwner[]>;
}

/** A resource with code in a workspace folder. */
export interface CodeOwner {
  readonly name: string;
  readonly source_path: string;
}

export function createAgentRows({ store, system }: Dependencies): AgentRows {
  const rows = collection<Agent>(store, "agents");
  const environmentRows = collection<AgentEnvironment>(store, "agent_environments");
  const environmentKey = (doc: Agent, environmentId: string) => keyOf("agent", doc.id, environmentId);

  const byAlias = store.prepare((db, v: { alias: string }) =>
    db.selectFrom("aliases").select("agent_id").where("alias", "=", v.alias),
  );
  const insertAlias = store.prepare((db, v: { alias: string; agent_id: string }) =>
    db.insertInto("aliases").values({ alias: v.alias, agent_id: v.agent_id }),
  );
  const deleteAlias = store.prepare((db, v: { alias: string; agent_id: string }) =>
    db.deleteFrom("aliases").where("alias", "=", v.alias).where("agent_id", "=", v.agent_id),
  );
  const takenAlias = (alias: string) =>
    conflict(`There is already an agent with the name or alias "${alias}".`);
  const lock = store.prepare((db, v: { id: string }) =>
    db
      .updateTable("agents")
      .set((eb) => ({ version: eb.ref("version") }))
      .where("id", "=", v.id),
  );
  const lockVersion = store.prepare((db, v: { id: string; version: number }) =>
    db
      .updateTable("agents")
      .set((eb) => ({ version: eb.ref("version") }))
      .where("id", "=", v.id)
      .where("version", "=", v.version),
  );
  const released = store.prepare((db, v: { environment_id: string }) =>
    db
      .selectFrom("agent_environments")
      .select("doc")
      .where("environment_id", "=", v.environment_id)
      .where("state", "=", "agent_release")
      .orderBy("position"),
  );

  const coded = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("agents").select("doc").where("doc", "like", hasCode),
  );

  const running = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("agents").select("doc").where("doc", "like", isRecordedAsRunning),
  );

  const wanted = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("agents").select("doc").where("doc", "like", isRecordedAsWanted),
  );

  async function find(reference: string): Promise<Stored<Agent> | undefined> {
    const byId = await rows.get(reference);
    if (byId) return byId;
    const named = await store.one(byAlias({ alias: keyOf(reference) }));
    return named && rows.get(named.agent_id);
  }

  return {
    withCode: async () => (await store.all(coded({}))).map(({ doc }) => JSON.parse(doc)),
    running: async () => (await store.all(running({}))).map(({ doc }) => JSON.parse(doc)),
    wanted: async () => (await store.all(wanted({}))).map(({ doc }) => JSON.parse(doc)),
    get: rows.get,
    list: rows.list,
    find,
    async read(reference) {
      const found = await find(reference);
      if (!found) throw notFound(`There is no agent "${reference}".`);
      return found;
    },
    insert(doc, refused) {
      const { id, name, aliases } = doc;
      const taken = (alias: string) => ({
        duplicate: () => takenAlias(alias),
        ...refused,
      });
      const fresh = {
        id,
        key: keyOf(name),
        doc,
        environmentId: null,
        owner: null,
        state: null,
        sealed: null,
      };
      for (const alias of aliases) requirePlainName("aliases", alias);
      return [
        ...rows.insert(fresh, taken(name)),
        ...[name, ...aliases].map((alias) => ({
          ...insertAlias({ alias: keyOf(alias), agent_id: id }),
          refused: taken(alias),
        })),
      ];
    },
    update: (before, doc) => rows.update(before, { doc }),
    aliasSteps({ id, aliases: former }, { aliases }) {
      const added = aliases.filter((alias) => !former.includes(alias));
      for (const alias of added) requirePlainName("aliases", alias);
      return [
        ...former
          .filter((alias) => !aliases.includes(alias))
          .map((alias) => deleteAlias({ alias: keyOf(alias), agent_id: id })),
        ...added.map((alias) => ({
          ...insertAlias({ alias: keyOf(alias), agent_id: id }),
          refused: { duplicate: () => takenAlias(alias) },
        })),
      ];
    },
    async environmentSteps(doc, environmentId) {
      const key = environmentKey(doc, environmentId);
      const before = await environmentRows.byKey(key);
      const release = releaseIn(doc, environmentId) ?? null;
      const next = {
        doc: { artifact: `agent/${doc.name}`, release },
        state: release ? "agent_release" : "agent_presence",
      };
      if (!usesEnvironment(doc, environmentId)) return before ? environmentRows.remove(before) : [];
      if (before) return environmentRows.update(before, next);
      const fresh = { id: system.newId(), key, environmentId, owner: doc.id, sealed: null, ...next };
      return environmentRows.insert(fresh);
    },
    async remove(before) {
      const { components, releases } = before.doc;
      const environments = new Set([...components, ...releases].map((one) => one.environment_id));
      const lookups = [...environments].map((id) => environmentRows.byKey(environmentKey(before.doc, id)));
      const left = (await Promise.all(lookups)).flatMap((row) => row ?? []);
      return [...left.flatMap((row) => environmentRows.remove(row)), ...rows.remove(before)];
    },
    lock: (id) => ({ ...lock({ id }), expect: 1 }),
    lockVersion: ({ id, version }) => ({ ...lockVersion({ id, version }), expect: 1 }),
    async currentReleases(environmentId) {
      const found = await store.all(released({ environment_id: environmentId }));
      return found.flatMap(({ doc }) => {
        const { artifact, release } = decodedEnvironment(doc);
        return release ? [{ artifact, version: release.version, activated_at: release.activated_at }] : [];
      });
    },
  };
}

/** LIKE pattern for a document whose `source_path` is not null. */
export const hasCode = '%"source_path":"%';

/** LIKE pattern for a document with something that is recorded as running. */
export const isRecordedAsRunning = '%"observed_state":"running"%';

/** LIKE pattern for a document with something that should run. */
export const isRecordedAsWanted = '%"desired_state":"running"%';

function decodedEnvironment(text: string): AgentEnvironment {
  const read = decodeJson(text);
  if (!("value" in read)) throw new Error("a stored document is not JSON");
  return read.value as AgentEnvironment;
}
