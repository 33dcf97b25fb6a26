import type { EnvironmentSummary } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { singleFlight } from "../../core/concurrency/single-flight.ts";
import type { Outbox } from "../../core/outbox/outbox.ts";
import { topic } from "../../core/outbox/topic.ts";
import type { Collection, Text } from "../../core/store/collection.ts";
import { type ChangeContext, type Step, type Store, subjectOf } from "../../core/store/store.ts";
import type { DeploymentCounts } from "./counts.ts";
import type { Deployment } from "./document.ts";
import { createFailureStreak } from "./failure-streak.ts";

export type CurrentReleases = (environmentId: string) => Promise<EnvironmentSummary["current_releases"]>;

/** A change that outdates a summary: its steps join that transaction, and `reconcile` follows it. */
export interface SummaryInvalidation {
  readonly steps: readonly Step[];
  reconcile(context: ChangeContext): Promise<void>;
}

/**
 * The summary of an environment, written by reconciliation. A transaction that outdates the summary adds an outbox
 * entry, and the transaction that writes the summary completes the entries that existed before it counted. So a crash
 * loses no entry, and of two concurrent reconciliations, the one that missed an entry must count again.
 */
interface Summaries {
  invalidate(environmentId: string): SummaryInvalidation;
  read(environmentId: string): Promise<Text<EnvironmentSummary>>;
  /** Recomputes the summary if it is outdated. */
  reconcile(environmentId: string, context: ChangeContext): Promise<void>;
}

/** One entry for each change that outdates the summary of an environment. */
export const summaryTopic = topic<Record<string, never>>("environment.summary");
const summaryKey = (environmentId: string) => `summary/${environmentId}`;

/** The input of a summary. */
interface SummarySources {
  readonly rows: Collection<Deployment>;
  readonly counts: DeploymentCounts;
  readonly currentReleases: CurrentReleases;
}

/** The environment was deleted after the entry was written. */
class EnvironmentGone extends Error {}

export function createSummaries(
  store: Store,
  outbox: Pick<Outbox, "add" | "pending" | "complete">,
  newId: () => string,
  { rows, counts, currentReleases }: SummarySources,
): Summaries {
  const upsert = store.prepare((db, v: { environment_id: string; doc: string }) =>
    db
      .insertInto("summaries")
      .values({ environment_id: v.environment_id, doc: v.doc })
      .onConflict((oc) => oc.column("environment_id").doUpdateSet((eb) => ({ doc: eb.ref("excluded.doc") }))),
  );
  const storedSummary = store.prepare((db, v: { id: string }) =>
    db.selectFrom("summaries").select("doc").where("environment_id", "=", v.id),
  );
  const lastSuccess = store.prepare((db, v: { id: string }) =>
    db
      .selectFrom("deployments")
      .select((eb) => eb.fn.max("key").as("key"))
      .where("environment_id", "=", v.id)
      .where("state", "=", "succeeded"),
  );
  const streakOf = createFailureStreak(store);

  async function compute(environmentId: string, at: string | null): Promise<EnvironmentSummary> {
    const id = environmentId;
    const key = (await store.one(lastSuccess({ id })))?.key ?? undefined;
    const success = key === undefined ? undefined : (await rows.byKey(key))?.doc;
    const deployment_counts = await counts.read(id);
    // Without a success, all failures count, and their number is already known.
    const failed = Number(deployment_counts.failed ?? 0);
    const failure_streak = key === undefined ? failed : await streakOf(id, key, failed);
    return {
      environment_id: id,
      latest_success: success
        ? {
            id: success.id,
            deployment_name: success.deployment_name,
            git_branch: success.git_branch,
            git_commit_sha: success.git_commit_sha,
            completed_at: success.completed_at,
          }
        : null,
      current_releases: await currentReleases(id),
      deployment_counts,
      failure_streak,
      reconciled_at: at,
    };
  }

  async function reconcile(environmentId: string, context: ChangeContext): Promise<void> {
    const subject = subjectOf("environment", environmentId);
    await store.retryOnConflict(async () => {
      const found = await outbox.pending(summaryTopic, summaryKey(environmentId));
      if (found.length === 0) return;
      const doc = encodeJson(await compute(environmentId, context.time));
      const completions = found.map(({ id }) => outbox.complete(id));
      const write = {
        ...upsert({ environment_id: environmentId, doc }),
        refused: { referenced: () => new EnvironmentGone() },
      };
      const events = [{ kind: "environment.reconciled", subject, data: {} }];
      try {
        await store.apply({ context, steps: [...completions, write], events });
      } catch (error) {
        if (!(error instanceof EnvironmentGone)) throw error;
        await store.apply({ context, steps: completions, events: [] });
      }
    });
  }

  /** One reconciliation at a time per environment: changes that end together share one summary. */
  interface Flight {
    context: ChangeContext;
    run(): Promise<void>;
  }
  const flights = new Map<string, Flight>();

  function reconcileTogether(environmentId: string, context: ChangeContext): Promise<void> {
    const existing = flights.get(environmentId);
    if (existing) {
      existing.context = context;
      return existing.run();
    }
    const flight: Flight = { context, run: singleFlight(() => reconcile(environmentId, flight.context)) };
    flights.set(environmentId, flight);
    return flight.run();
  }

  return {
    invalidate(environmentId) {
      return {
        steps: [
          outbox.add(summaryTopic, {
            id: newId(),
            key: summaryKey(environmentId),
            environmentId,
            payload: {},
          }),
        ],
        reconcile: (context) => reconcileTogether(environmentId, context),
      };
    },
    async read(environmentId) {
      const stored = await store.one(storedSummary({ id: environmentId }));
      return stored?.doc ?? encodeJson(neverReconciled(environmentId));
    },
    reconcile: reconcileTogether,
  };
}

const neverReconciled = (environmentId: string): EnvironmentSummary => ({
  environment_id: environmentId,
  latest_success: null,
  current_releases: [],
  deployment_counts: {},
  failure_streak: 0,
  reconciled_at: null,
});
