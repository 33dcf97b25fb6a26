import { encodeJson } from "@lakehelm/contract/schema";
import type { Store } from "../../store/store.ts";
import type { Intent, Platform } from "../platform.ts";

/**
 * The embedded platform. Its state is in our own store, so being asked is part of the change that asks:
 * it is recorded with it, or not at all, and is there after a restart.
 */
export function createEmbeddedPlatform(store: Store): Platform {
  const insert = store.prepare(
    (db, v: { id: string; environment_id: string; kind: string; subject: string; data: string }) =>
      db.insertInto("embedded_records").values({
        id: v.id,
        environment_id: v.environment_id,
        kind: v.kind,
        subject: v.subject,
        data: v.data,
      }),
  );

  return {
    name: "embedded",
    capabilities: {
      connectorTargets: [
        "postgresql",
        "postgres",
        "mysql",
        "sqlite",
        "duckdb",
        "csv",
        "jsonl",
        "parquet",
        "http",
        "warehouse",
      ],
    },
    within(intent) {
      const { id, environmentId, kind, subject, data } = intent;
      const row = insert({ id, environment_id: environmentId, kind, subject, data: encodeJson(data) });
      return { steps: [row], outcome: { done: true, reference: referenceOf(intent) } };
    },
  };
}

/** A job keeps one id for as long as its subject lives. */
const referenceOf = ({ kind, subject }: Intent): string | null =>
  kind === "job.install" || kind === "pipeline.install" ? subject.replace("/", "-") : null;
