import type { Connector } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import { Problem } from "../../core/errors.ts";
import type { InstallMissing } from "../../core/missing-installations.ts";
import type { Collection } from "../../core/store/collection.ts";
import { type ChangeContext, subjectId, subjectOf } from "../../core/store/store.ts";
import type { RecordOutcome, RecordWaiting } from "../../runtime/platforms/platform-requests.ts";
import { applyOutcome, namedEvents } from "../../runtime/platforms/resource-change.ts";
import type { Environments } from "../environments/environments.ts";
import { type ConnectorChanges, withoutEndedFailure } from "./connector-changes.ts";
import { isSupported, withSupportProblem } from "./document.ts";

export interface JobInstallation {
  /** Applies the outcome of an outbox entry to a connector. */
  readonly recordOutcome: RecordOutcome<"connector">;
  /** Records why the job of a connector could not be installed yet. */
  readonly recordWaiting: RecordWaiting<"connector">;
  /** Installs connectors that earlier versions recorded without a job. */
  readonly installMissing: InstallMissing;
}

/**
 * Changes of a connector's job without a caller: after a late answer of the platform, or if it is missing at startup.
 */
export function createJobInstallation(
  { store }: Dependencies,
  environments: Environments,
  rows: Collection<Connector>,
  { requestJob }: ConnectorChanges,
  hasJob: (jobId: string) => Promise<boolean>,
): JobInstallation {
  const all = store.prepare((db, _: Record<string, never>) => db.selectFrom("connectors").select("id"));

  const recordOutcome: RecordOutcome<"connector"> = async (request, outcome) => {
    const { subject, kind: asked } = request;
    const before = await rows.get(subjectId("connector", subject));
    if (!before) {
      // The connector was deleted; a failure to remove its job must still be recorded.
      if (outcome.done) return { steps: [], events: [] };
      const { name } = request.data;
      const data = { name, environment_id: request.environmentId, asked, error_message: outcome.reason };
      return { steps: [], events: [{ kind: "connector.failed", subject, data }] };
    }
    const doc = withoutEndedFailure(applyOutcome(before.doc, asked, outcome));
    const kind = outcome.done ? "connector.settled" : "connector.failed";
    const data = { asked, status: doc.status, error_message: doc.error_message };
    return {
      steps: rows.update(before, { doc }),
      events: namedEvents([{ kind, subject, data }], before),
    };
  };

  /** Jobs of a platform with transactional effects are in our store: only they can be missing. */
  async function installAgain(id: string, context: ChangeContext): Promise<"installed" | "left" | undefined> {
    const before = await rows.get(id);
    const { status, workflow_id } = before?.doc ?? {};
    const isInstalled = status === "active" || status === "failing" || status === "paused";
    if (!before || !workflow_id || !isInstalled) return undefined;
    const env = await environments.actIn(before.environmentId ?? undefined).catch((error) => {
      if (!(error instanceof Problem)) throw error;
    });
    if (!env) return "left";
    const { updated_by, updated_at, created_by } = before.doc;
    const pause =
      status === "paused"
        ? { paused: true, by: updated_by ?? created_by, at: updated_at, reason: null, until: before.state }
        : undefined;
    const declared = withSupportProblem(before.doc, env);
    const submitted = isSupported(env, declared)
      ? requestJob("job.install", declared, env, pause)
      : undefined;
    if ((submitted && !submitted.outcome) || (await hasJob(workflow_id))) return undefined;
    const doc = withoutEndedFailure(
      submitted?.outcome ? applyOutcome(declared, "job.install", submitted.outcome) : declared,
    );
    const data = { asked: "job.install", status: doc.status, error_message: doc.error_message };
    const kind = doc.error_message === null ? "connector.settled" : "connector.failed";
    await store.apply({
      context,
      steps: [...rows.update(before, { doc }), ...(submitted?.steps ?? [])],
      events: namedEvents([{ kind, subject: subjectOf("connector", id), data }], before),
    });
    return "installed";
  }

  return {
    recordOutcome,
    async recordWaiting({ kind, subject }, reason) {
      const before = kind === "job.install" ? await rows.get(subjectId("connector", subject)) : undefined;
      if (!before || before.doc.error_message === reason) return undefined;
      const doc = { ...before.doc, error_message: reason };
      const data = { asked: kind, status: doc.status, error_message: reason };
      return {
        steps: rows.update(before, { doc }),
        events: namedEvents([{ kind: "connector.waiting", subject, data }], before),
      };
    },
    async installMissing(context) {
      const count = { installed: 0, left: 0 };
      for (const { id } of await store.all(all({}))) {
        const result = await store.retryOnConflict(() => installAgain(id, context));
        if (result) count[result] += 1;
      }
      return count;
    },
  };
}
