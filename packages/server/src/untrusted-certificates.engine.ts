/** Systems whose certificate is not trusted: whatever connects to such a system reports it, and what to do. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { suite, test } from "node:test";
import type { Client } from "@lakehelm/contract/client";
import { selfSigned } from "@lakehelm/testing/self-signed";
import { until } from "@lakehelm/testing/until";
import { flow } from "./runtime/platforms/databricks/testing/connected-server.ts";
import { startTestServer, type TestServer } from "./testing/server.ts";

const advice = /its certificate is not trusted\. Start the server with NODE_EXTRA_CA_CERTS=/;

suite("certificates that nobody trusts", () => {
  let server: TestServer;
  let client: Client;
  const peer = createServer(
    { ...selfSigned, ALPNProtocols: ["h2", "http/1.1"] },
    (_, response) => void response.end("{}"),
  );
  let port: number;

  test.before(async () => {
    peer.listen(0, "127.0.0.1");
    await once(peer, "listening");
    ({ port } = peer.address() as AddressInfo);
    server = await startTestServer();
    ({ client } = server);
    // On a busy machine, the engine takes longer to start than a request waits.
    const query = () => client.runQuery({ body: { sql: "SELECT 1" } });
    await until(
      () =>
        query().then(
          () => true,
          () => false,
        ),
      50,
    );
  });
  test.after(async () => {
    await server.close();
    peer.closeAllConnections();
    peer.close();
  });

  const findings = async (environment_id: string) => {
    const { findings } = await client.checkEnvironment({ params: { environment_id } });
    return findings.map(({ message }) => message).join(" ");
  };
  const connectorOf = (name: string, connection: object) =>
    ({
      name,
      target_type: "warehouse",
      target_config: { connection },
      execution_mode: "manual",
      created_by: "ada",
      datasets: [{ source_dataset: "orders", target_name: "shop.sales.orders" }],
    }) satisfies Parameters<Client["createConnector"]>[0]["body"];

  async function flowAndPipeline(environment: string): Promise<(() => Promise<object>)[]> {
    const { id: flow_id } = await client.createFlow({ body: flow, environment });
    const { pipeline_id } = await client.createPipeline({
      body: {
        name: "marts",
        libraries: [{ file: { path: "/Workspace/shop/marts.sql" } }],
        serverless: true,
        catalog: "shop",
        target: "marts",
      },
      environment,
    });
    return [
      () => client.getFlow({ params: { flow_id } }),
      () => client.getPipeline({ params: { pipeline_id } }),
    ];
  }

  for (const [what, host, reason] of [
    ["an untrusted certificate", () => `https://localhost:${port}`, advice],
    ["a refused connection", () => "https://localhost:1", /refused the connection/],
  ] as const) {
    test(`${what} of a workspace is in its check, and in what waits for it`, async () => {
      const name = what.split(" ")[1] as string;
      const configuration = {
        host: host(),
        token: "dapi-5Vq8RwYk2mHcXz7L",
        warehouse_id: "1a2b",
        catalog: "shop",
      };
      const { id } = await client.createEnvironment({
        body: { name, platform: "databricks", configuration },
      });
      assert.match(await findings(id), reason);

      const body = connectorOf("orders", {
        name: "shop",
        type: "rest",
        config: { url: "https://api.example.test" },
      });
      const connector = await client.createConnector({ body, environment: id });
      const read: (() => Promise<object>)[] = [
        () => client.getConnector({ params: { connector_id: connector.id } }),
      ];
      if (reason === advice) read.push(...(await flowAndPipeline(id)));
      for (const one of read) {
        const waiting = await until(async () => {
          const now = (await one()) as { status?: string; error_message?: string | null };
          return now.error_message ? now : undefined;
        }, 50);
        assert.match(waiting.error_message ?? "", reason);
        assert.match(waiting.error_message ?? "", /The server tries again\.$/);
        assert.notEqual(waiting.status, "failed");
      }
    });
  }

  test("a Spark cluster's is in its check", async () => {
    const configuration = { remote: `sc://localhost:${port}/;use_ssl=true`, catalog: "shop" };
    const { id } = await client.createEnvironment({
      body: { name: "cluster", platform: "spark", configuration },
    });
    assert.match(await findings(id), advice);
  });

  for (const [kind, connection] of [
    [
      "a REST source",
      () => ({ name: "api", type: "rest", config: { url: `https://localhost:${port}`, retries: 0 } }),
    ],
    [
      "a bucket",
      () => ({
        name: "lake",
        type: "files",
        config: {
          path: "s3://lake/orders",
          format: "csv",
          endpoint: `https://localhost:${port}`,
          access_key_id: "AKIA5VQ8RWYK2MHC",
          secret_access_key: "5Vq8RwYk2mHcXz7LbN4dPj",
        },
      }),
    ],
  ] as const) {
    test(`that of ${kind} is in its check`, async () => {
      const { id } = await client.createConnector({ body: connectorOf(kind, connection()) });
      const answer = await client.checkConnector({ params: { connector_id: id } });
      assert.match(JSON.stringify(answer), advice);
    });
  }
});
