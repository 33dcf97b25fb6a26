import { AutomationDefinition, Release } from "@lakehelm/contract";
import { decodeJson, type ValidationError } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { extractSecrets } from "../../core/secrets/secret-extraction.ts";
import { type MaskStored, maskTable } from "../../core/secrets/stored-secrets.ts";
import { type Collection, collection, keyOf, type Stored, type Text } from "../../core/store/collection.ts";
import type { ListRequest } from "../../core/store/list-request.ts";
import type { SearchScope } from "../../core/store/list-search.ts";
import type { DomainEvent, Step } from "../../core/store/store.ts";
import type { PlatformOutcome } from "../../runtime/platforms/platform.ts";
import type { Environments } from "../environments/environments.ts";
import { withCurrentNames } from "./environment-names.ts";
import { automationSubject } from "./registry.ts";

/**
 * Whether the platform has the release's job: `installing` until it responds, `refused` if it refused, `removing` while
 * the release is being removed, `none` if there is no definition that could run. A platform with transactional effects
 * responds at once.
 */
export type JobState = "installing" | "installed" | "refused" | "removing" | "none";

/** The current release of each automation in each environment. */
export interface Releases {
  readonly rows: Collection<Release>;
  current(automationId: string, environmentId: string): Promise<Stored<Release> | undefined>;
  ofAutomation(automationId: string): Promise<Stored<Release>[]>;
  page(scope: SearchScope, request: ListRequest): Promise<ReleasePage>;
  inEnvironment(environmentId: string): Promise<Release[]>;
  /** A step that fails if the automation has a release on commit. */
  noneOf(automationId: string): Step;
  row(doc: Release, automationId: string, job: JobState): NewRelease;
  /** Releases of earlier versions, which stored the definition with the release. */
  withStoredDefinition(): Promise<Stored<Release>[]>;
  /** The definition stored with such a release, with its secrets; undefined if it does not match the current schema. */
  storedDefinition(release: Stored<Release>): AutomationDefinition | undefined;
  /** Masks stored releases by the current rules. */
  readonly maskStored: MaskStored;
}

export interface ReleasePage {
  readonly releases: Release[];
  readonly total: number;
  readonly next_cursor?: string | null;
}

type NewRelease = Omit<Stored<Release>, "version">;

const keyOfRelease = (automationId: string, environmentId: string) =>
  keyOf("automation", automationId, environmentId);

const pageSize = 1000;

export function createReleases({ store, vault }: Dependencies, environments: Environments): Releases {
  const rows = collection<Release>(store, "releases");

  const inEnvironment = store.prepare((db, v: { environment_id: string }) =>
    db
      .selectFrom("releases")
      .select("doc")
      .where("environment_id", "=", v.environment_id)
      .orderBy("position"),
  );

  const withDefinition = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("releases").select("id").where("sealed", "is not", null),
  );
  const anyOf = store.prepare((db, v: { owner: string }) =>
    db
      .updateTable("releases")
      .set((eb) => ({ owner: eb.ref("owner") }))
      .where("owner", "=", v.owner),
  );

  async function all(automationId: string): Promise<Release[]> {
    const found: Release[] = [];
    for (let skip = 0; ; skip += pageSize) {
      const { items, total } = await rows.items({ owner: automationId }, skip, pageSize);
      found.push(...items.map(readRelease));
      if (skip + pageSize >= total) return found;
    }
  }

  return {
    rows,
    current: (automationId, environmentId) => rows.byKey(keyOfRelease(automationId, environmentId)),
    async ofAutomation(automationId) {
      const docs = await withCurrentNames(await all(automationId), environments);
      const found = await Promise.all(
        docs.map(async (doc) => {
          // Read by key, not by id: another release may have replaced this one since.
          const stored = await rows.byKey(keyOfRelease(automationId, doc.environment_id));
          return stored && { ...stored, doc: { ...stored.doc, environment: doc.environment } };
        }),
      );
      return found.filter((release) => release !== undefined);
    },
    async page(scope, request) {
      const { items, total, next } = await rows.listItems(scope, request);
      const releases = await withCurrentNames(items.map(readRelease), environments);
      return { releases, total, ...(next !== undefined && { next_cursor: next }) };
    },
    async inEnvironment(environmentId) {
      const found = await store.all(inEnvironment({ environment_id: environmentId }));
      return found.map(({ doc }) => readRelease(doc));
    },
    async withStoredDefinition() {
      const found = await store.all(withDefinition({}));
      const read = await Promise.all(found.map(({ id }) => rows.get(id)));
      return read.flatMap((release) => release ?? []);
    },
    storedDefinition({ sealed }) {
      const read = decodeJson(vault.decrypt(sealed ?? ""));
      const issues: ValidationError[] = [];
      const definition = "value" in read && AutomationDefinition.check(read.value, [], issues);
      return definition && issues.length === 0 ? definition : undefined;
    },
    noneOf: (automationId) => ({ ...anyOf({ owner: automationId }), expect: 0 }),
    maskStored: (context) =>
      maskTable<Release>(
        store,
        "releases",
        (doc, sealed) => ({ doc: { ...doc, metadata: extractSecrets(doc.metadata).masked }, sealed }),
        context,
      ),
    row: (doc, automationId, job) => ({
      id: doc.id,
      key: keyOfRelease(automationId, doc.environment_id),
      doc,
      environmentId: doc.environment_id,
      owner: automationId,
      state: job,
      sealed: null,
    }),
  };
}

function readRelease(text: Text<Release>): Release {
  const read = decodeJson(text);
  if (!("value" in read)) throw new Error("a stored release is not JSON");
  return Release.check(read.value, [], []);
}

export const withoutReason = ({ error_message: _, ...doc }: Release): Release => doc;

/** Applies the platform's response about the release's job. Without its own job, a release has no workflow. */
export function withInstall(
  doc: Release,
  outcome: PlatformOutcome | undefined,
): { readonly doc: Release; readonly state: JobState } {
  const without = { ...withoutReason(doc), workflow_id: null };
  if (!outcome) return { doc: without, state: "installing" };
  if (!outcome.done) return { doc: { ...without, error_message: outcome.reason }, state: "refused" };
  return { doc: { ...without, workflow_id: outcome.reference }, state: "installed" };
}

export function releaseEvent(
  kind: string,
  automationId: string | null,
  { id, artifact, environment_id, version }: Release,
  more: DomainEvent["data"] = {},
): DomainEvent {
  const alias = artifact.replace("automation/", "");
  const data = { alias, release_id: id, environment_id, version, ...more };
  return { kind, subject: automationSubject(automationId ?? ""), data };
}
