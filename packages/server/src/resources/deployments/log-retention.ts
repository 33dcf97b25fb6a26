import { sql } from "kysely";
import type { Dependencies } from "../../core/dependencies.ts";
import { batchOf, daysBefore } from "../../core/retention/batch.ts";
import type { RetentionSource } from "../../core/retention/retention.ts";
import type { Deployment } from "./document.ts";
import { createDeploymentLog } from "./log.ts";

/** Larger than a batch of the retention. */
const pageSize = 100;

/** The log of a deployment as a line of the archive. */
interface ArchivedLog extends Pick<Deployment, "environment_id" | "deployment_name" | "completed_at"> {
  readonly deployment_id: string;
  readonly chunks: readonly string[];
}

/** Archives the logs of deployments that ended long ago. Afterwards, a log only says where it was archived. */
export function createDeploymentLogRetention({ store, settings }: Dependencies): RetentionSource {
  const { PLATFORM_DEPLOYMENT_LOGS_KEPT_DAYS: keptDays } = settings;
  const log = createDeploymentLog(store);
  const ended = store.prepare((db, v: { before: string; limit: number }) =>
    db
      .selectFrom("deployment_log")
      .innerJoin("deployments", "deployments.id", "deployment_log.deployment_id")
      .select("doc")
      .where("n", "=", sql.lit(1))
      .where("state", "not in", ["pending", "running"])
      .where("created_at", "<", v.before)
      .orderBy("deployment_id")
      .limit(v.limit),
  );

  return {
    kind: "deployment_logs",
    async next(now) {
      if (keptDays === 0) return undefined;
      const before = daysBefore(now, keptDays);
      const found = (await store.all(ended({ before, limit: pageSize }))).map(
        ({ doc }) => JSON.parse(doc) as Deployment,
      );
      const due = new Map(
        found
          .filter(({ completed_at }) => completed_at !== null && completed_at < before)
          .map((deployment) => [deployment.id, deployment]),
      );
      return batchOf([...due.keys()], async (id) => {
        const deployment = due.get(id);
        if (!deployment) return undefined;
        const { environment_id, deployment_name, completed_at } = deployment;
        const chunks = await log.chunks(id);
        const record = { deployment_id: id, environment_id, deployment_name, completed_at, chunks };
        return { record: record satisfies ArchivedLog, rows: chunks.length };
      });
    },
    isStored: async ({ first }) => log.hasChunks(String(first)),
    removal: (_, lines, archivedAs) =>
      lines.flatMap((line) => {
        const { deployment_id, chunks } = JSON.parse(line) as ArchivedLog;
        const where = archivedAs === undefined ? "was removed" : `is in the archive: ${archivedAs}`;
        return log.replace(deployment_id, chunks.length, `The log of this deployment ${where}.\n`);
      }),
  };
}
