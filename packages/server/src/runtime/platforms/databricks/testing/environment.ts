import type { TestServer } from "../../../../testing/server.ts";
import { unique } from "../../../../testing/server.ts";
import { type FakeWorkspace, testClient } from "./fake-workspace.ts";
import { testWarehouse } from "./sql-warehouse.ts";

/** An environment in the workspace, whose credentials are in its secret store. Returns its id. */
export async function databricksEnvironment(
  { client }: Pick<TestServer, "client">,
  workspace: Pick<FakeWorkspace, "url">,
  configuration: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  // Each workspace of a test has a port of its own.
  await client.limitSecretScope({ params: { scope: "workspace" }, body: { hosts: ["127.0.0.1"] } });
  const { id } = await client.createEnvironment({
    body: {
      name: unique("databricks"),
      platform: "databricks",
      secretScope: "workspace",
      dataPlatformClientIdKey: "client-id",
      dataPlatformClientSecretKey: "client-secret",
      configuration: { host: workspace.url, warehouse_id: testWarehouse, ...configuration },
    },
  });
  const put = (key: string, value: string) =>
    client.putSecret({ params: { scope: "workspace", key }, body: { value }, environment: id });
  await put("client-id", testClient.clientId);
  await put("client-secret", testClient.clientSecret);
  return id;
}
