import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ApiError } from "@lakehelm/contract/client";
import { unique } from "../../../testing/server.ts";
import type { PlatformHarness, SourceRow } from "./harness.ts";
import { serveSource } from "./source.ts";

/** The embedded platform: from an API of the test into the warehouse. */
export const embedded: PlatformHarness = {
  name: "embedded",
  capabilities: { ownScheduler: true, countsRows: true, ownProcess: true },
  async openFixture() {
    const source = await serveSource();
    const target = unique("orders").replace("-", "_");
    return {
      ...source,
      connector: {
        target_type: "warehouse",
        target_config: {
          connection: { name: "shop", type: "rest", config: { url: source.url, retries: 0 } },
        },
        datasets: [
          {
            source_dataset: "orders",
            target_name: target,
            primary_keys: ["id"],
            write_strategy: "upsert",
            custom_config: { watermark_column: "updated_at" },
          },
        ],
      },
      async read(client) {
        const time = "strftime(updated_at, '%Y-%m-%dT%H:%M:%SZ')";
        try {
          const { rows } = await client.runQuery({
            body: { sql: `SELECT id, name, ${time} FROM ${target} ORDER BY id`, dialect: "duckdb" },
          });
          return rows.map(
            ([id, name, updated_at]): SourceRow => ({
              id: Number(id),
              name: String(name),
              updated_at: String(updated_at),
            }),
          );
        } catch (error) {
          if (error instanceof ApiError && /does not exist|no table/i.test(error.detail)) return undefined;
          throw error;
        }
      },
    };
  },
  async crash({ dataDir }) {
    for (const pid of await enginesOf(dataDir)) process.kill(pid, "SIGKILL");
  },
};

/** The engine's process has the folder of its warehouses as an argument. */
async function enginesOf(dataDir: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)("pgrep", ["-f", `child\\.ts .*${dataDir}/`]);
  return stdout.trim().split("\n").map(Number);
}
