import { ApiError } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import { unique } from "../../../testing/server.ts";
import type { PlatformHarness, SourceRow } from "./harness.ts";
import {
  openWorkspaceEnvironment,
  type WorkspaceAccess,
  type WorkspaceEnvironment,
  workspaceWaitMs,
} from "./workspace-environment.ts";

interface Run {
  readonly run_id?: string;
  readonly status?: { readonly state?: string };
}

/** The pause between two requests that check a state. */
const everyMs = 1_000;

/**
 * A workspace that exists, with a warehouse: rows are files of a volume, which a connector loads into a table. A run
 * cannot be kept waiting there: it is stopped in the seconds that its compute takes to start.
 */
export function workspaceHarness(access: WorkspaceAccess): PlatformHarness {
  let opened: WorkspaceEnvironment | undefined;
  const here = () => {
    if (!opened) throw new Error("The environment is not open.");
    return opened;
  };

  /** The runs of the newest job, those that do not wait for another one. */
  async function activeRuns(): Promise<readonly string[]> {
    const { id, workspace } = here();
    const client = await workspace();
    type Job = { job_id?: string; settings?: { tags?: Readonly<Record<string, string>> } };
    for await (const { job_id, settings } of client.list<Job>("/api/2.2/jobs/list", "jobs", { limit: 100 })) {
      if (job_id === undefined || settings?.tags?.lakehelm_environment !== id) continue;
      const query = { job_id, active_only: true, limit: 25 };
      const { runs = [] } = await client.get<{ runs?: readonly Run[] }>("/api/2.2/jobs/runs/list", query);
      return runs.flatMap(({ run_id, status }) =>
        run_id === undefined || status?.state === "QUEUED" ? [] : [run_id],
      );
    }
    return [];
  }

  async function stateOf(run_id: string): Promise<string | undefined> {
    const client = await here().workspace();
    return (await client.get<Run>("/api/2.2/jobs/runs/get", { run_id })).status?.state;
  }

  return {
    name: "databricks",
    capabilities: { ownScheduler: false, countsRows: false, ownProcess: false },
    waitMs: workspaceWaitMs,
    async open(client) {
      opened = await openWorkspaceEnvironment(client, access);
      await opened.statement(`CREATE VOLUME IF NOT EXISTS ${opened.catalog}.${opened.schema}.sources`);
      return opened.name;
    },
    async close() {
      if (!opened) return;
      const { catalog, schema, workspace, remove } = opened;
      try {
        // The schema is dropped with its tables; whether its volumes are dropped, too, depends on the service.
        const path = `/api/2.1/unity-catalog/volumes/${catalog}.${schema}.sources`;
        await (await workspace()).send("DELETE", path);
      } finally {
        await remove();
      }
    },
    // A slot that comes in two to three minutes: nobody can advance the clock there.
    hourly: () => `${(new Date().getUTCMinutes() + 3) % 60} * * * *`,
    fire() {},
    async openFixture() {
      const { catalog, schema, statement, workspace } = here();
      const name = unique("orders").replace("-", "_");
      const table = `${catalog}.${schema}.${name}`;
      const folder = `/Volumes/${catalog}/${schema}/sources/${name}`;
      const send = async (
        method: "PUT" | "DELETE",
        kind: "files" | "directories",
        path: string,
        text?: string,
      ) =>
        (await workspace()).send(method, `/api/2.0/fs/${kind}${path}`, undefined, {
          ...(text !== undefined && { bytes: Buffer.from(text), query: { overwrite: true } }),
        });
      let files = 0;
      await send("PUT", "directories", folder);

      async function put(rows: readonly SourceRow[]): Promise<void> {
        await send(
          "PUT",
          "files",
          `${folder}/${++files}.json`,
          rows.map((row) => JSON.stringify(row)).join("\n"),
        );
        if (files > 1) await send("DELETE", "files", `${folder}/${files - 1}.json`);
      }
      return {
        connector: {
          target_type: "warehouse",
          target_config: {
            connection: { name: "sources", type: "files", config: { path: folder, format: "json" } },
          },
          datasets: [
            { source_dataset: "*.json", target_name: table, primary_keys: ["id"], write_strategy: "upsert" },
          ],
        },
        put,
        async read(client) {
          const time = "date_format(CAST(updated_at AS TIMESTAMP), 'yyyy-MM-dd HH:mm:ss')";
          try {
            const { rows } = await client.runQuery({
              body: { sql: `SELECT id, name, ${time} AS updated_at FROM ${table} ORDER BY id` },
              environment: here().name,
            });
            return rows.map(
              ([id, name, updated_at]): SourceRow => ({
                id: Number(id),
                name: String(name),
                updated_at: `${String(updated_at).replace(" ", "T")}Z`,
              }),
            );
          } catch (error) {
            if (error instanceof ApiError && /TABLE_OR_VIEW_NOT_FOUND/.test(error.detail)) return undefined;
            throw error;
          }
        },
        hold() {
          let held: string | undefined;
          return {
            get reached() {
              return until(
                async () => {
                  [held] = await activeRuns();
                  return held !== undefined;
                },
                everyMs,
                workspaceWaitMs,
              ).then(() => undefined);
            },
            get left() {
              return until(
                async () => (await stateOf(held ?? "")) === "TERMINATED",
                everyMs,
                workspaceWaitMs,
              ).then(() => undefined);
            },
            release() {},
          };
        },
        async failReads() {
          // No value of the rows fits into a column of the type STRUCT.
          await statement(`CREATE TABLE ${table} (id BIGINT, name STRUCT<first: STRING>, updated_at STRING)`);
          await put([{ id: 1, name: "Ada", updated_at: "2026-01-01T00:00:00Z" }]);
          return /the column name is struct/;
        },
        restore: () => statement(`DROP TABLE ${table}`),
        async close() {},
      };
    },
  };
}
