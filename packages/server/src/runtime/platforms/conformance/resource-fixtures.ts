import type { TestContext } from "node:test";
import { until } from "@lakehelm/testing/until";
import { startTestServer } from "../../../testing/server.ts";
import { startWithWorkspace, tickets } from "../databricks/testing/connected-server.ts";
import { embedded } from "./embedded.ts";
import type { ResourceFixture } from "./resources.ts";

const { target_type, target_config, datasets } = tickets;

/** The embedded platform, which moves a row. */
export async function embeddedResources(): Promise<ResourceFixture> {
  const server = await startTestServer();
  const source = await embedded.openFixture();
  source.put([{ id: 1, name: "Ada", updated_at: "2026-01-01T00:00:00Z" }]);
  return {
    client: server.client,
    environment: "local",
    connector: source.connector,
    async close() {
      await server.close();
      await source.close();
    },
  };
}

/** A stand-in for a workspace, whose runs the suite lets end. */
export async function standInResources(): Promise<ResourceFixture> {
  const closing: (() => unknown)[] = [];
  const context = { after: (close: () => unknown) => void closing.push(close) };
  const { client, jobs } = await startWithWorkspace(context as unknown as TestContext);
  return {
    client,
    environment: "lake",
    connector: { target_type, target_config, datasets },
    async finish() {
      const [run] = await until(() => jobs.runs.size > 0 && [...jobs.runs.values()]);
      if (run) jobs.end(run, "SUCCESS");
    },
    async close() {
      for (const close of closing.reverse()) await close();
    },
  };
}
