/** Checks that a connector behaves on Spark as on every other platform. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite } from "node:test";
import { ApiError } from "@lakehelm/contract/client";
import { isNightly } from "@lakehelm/testing/nightly";
import { embedded } from "../src/runtime/platforms/conformance/embedded.ts";
import type { PlatformHarness, SourceRow } from "../src/runtime/platforms/conformance/harness.ts";
import { platformConformance } from "../src/runtime/platforms/conformance/suite.ts";
import { engines } from "../src/testing/server.ts";
import { type ConnectServer, startConnectServer } from "./connect-server.ts";
import { patient } from "./on-cluster.ts";

suite("conformance of Spark", () => {
  let folder: string;
  let spark: ConnectServer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "lakehelm-spark-conformance-"));
    spark = await startConnectServer();
  });
  after(async () => {
    await spark?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const environment = "cluster";
  const harness: PlatformHarness = {
    ...embedded,
    name: "spark",
    options: { settings: patient },
    async open(client) {
      const configuration = { ...spark.configuration, token: spark.token, staging: folder };
      await client.createEnvironment({ body: { name: environment, platform: "spark", configuration } });
      return environment;
    },
    async openFixture() {
      const fixture = await embedded.openFixture();
      const [dataset] = fixture.connector.datasets ?? [];
      return {
        ...fixture,
        async read(client) {
          const time = "date_format(updated_at, \"yyyy-MM-dd'T'HH:mm:ss'Z'\")";
          const sql = `SELECT id, name, ${time} FROM ${dataset?.target_name} ORDER BY id`;
          try {
            const { rows } = await client.runQuery({ body: { sql }, environment });
            return rows.map(
              ([id, name, updated_at]): SourceRow => ({
                id: Number(id),
                name: String(name),
                updated_at: String(updated_at),
              }),
            );
          } catch (error) {
            if (error instanceof ApiError && /NOT_FOUND/.test(error.detail)) return undefined;
            throw error;
          }
        },
      };
    },
  };

  for (const engine of isNightly ? engines : (["sqlite"] as const)) platformConformance(harness, engine);
});
