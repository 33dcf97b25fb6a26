import { Release } from "@lakehelm/contract";
import { decodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { type Collection, collection, keyOf, type Stored, type Text } from "../../core/store/collection.ts";
import type { DomainEvent } from "../../core/store/store.ts";
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
  page(automationId: string, skip: number, limit: number): Promise<{ releases: Release[]; total: number }>;
  inEnvironment(environmentId: string): Promise<Release[]>;
  row(doc: Release, automationId: string, job: JobState): NewRelease;
}

type NewRelease = Omit<Stored<Release>, "version">;

const keyOfRelease = (automationId: string, environmentId: string) =>
  keyOf("automation", automationId, environmentId);

const pageSize = 1000;

export function createReleases({ store }: Dependencies, environments: Environments): Releases {
  const rows = collection<Release>(store, "releases");

  const inEnvironment = store.prepare((db, v: { environment_id: string }) =>
    db
      .selectFrom("releases")
      .select("doc")
      .where("environment_id", "=", v.environment_id)
      .orderBy("position"),
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
          const stored = await rows.get(doc.id);
          return stored && { ...stored, doc: { ...stored.doc, environment: doc.environment } };
        }),
      );
      return found.filter((release) => release !== undefined);
    },
    async page(automationId, skip, limit) {
      const { items, total } = await rows.items({ owner: automationId }, skip, limit);
      return { releases: await withCurrentNames(items.map(readRelease), environments), total };
    },
    async inEnvironment(environmentId) {
      const found = await store.all(inEnvironment({ environment_id: environmentId }));
      return found.map(({ doc }) => readRelease(doc));
    },
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

/** Applies the platform's response about the release's job. Without its own job, a release has no workflow. */
export function withInstall(
  doc: Release,
  outcome: PlatformOutcome | undefined,
): { readonly doc: Release; readonly state: JobState } {
  if (!outcome) return { doc: { ...doc, workflow_id: null }, state: "installing" };
  if (!outcome.done) return { doc: { ...doc, workflow_id: null }, state: "refused" };
  return { doc: { ...doc, workflow_id: outcome.reference }, state: "installed" };
}

export function releaseEvent(
  kind: string,
  automationId: string | null,
  { id, environment_id, version }: Release,
  more: DomainEvent["data"] = {},
): DomainEvent {
  const data = { release_id: id, environment_id, version, ...more };
  return { kind, subject: automationSubject(automationId ?? ""), data };
}
