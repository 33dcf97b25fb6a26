import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { EnvironmentUpdateRequest } from "@lakehelm/contract";
import { createClient } from "@lakehelm/contract/client";
import type { ConfigurationKeys } from "../../runtime/platforms/configuration-keys.ts";
import { readConfiguration, workspaceKeys } from "../../runtime/platforms/databricks/configuration.ts";
import { readCredentials } from "../../runtime/platforms/databricks/credentials.ts";
import {
  clusterKeys,
  readConfiguration as readCluster,
} from "../../runtime/platforms/spark/configuration.ts";
import { refused } from "../../testing/refusal.ts";
import { startTestServer, type TestServer, unique } from "../../testing/server.ts";

const platforms: Readonly<Record<string, ConfigurationKeys>> = {
  databricks: workspaceKeys,
  spark: clusterKeys,
};
const credentials = {
  secretScope: "workspace",
  dataPlatformClientIdKey: "client-id",
  dataPlatformClientSecretKey: "client-secret",
};

suite("who may change where the credentials of an environment go", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    await server.client.limitSecretScope({ params: { scope: "workspace" }, body: { hosts: ["*"] } });
  });
  after(() => server.close());

  async function operatorOf() {
    const { id } = await server.client.createUser({ body: { username: unique("u"), role: "operator" } });
    const { token } = await server.client.createToken({ params: { user_id: id }, body: {} });
    return createClient({ baseUrl: server.url, token });
  }
  const environmentOn = (platform: string, more: object = {}) =>
    server.client.createEnvironment({
      body: { name: unique("e"), platform, configuration: { host: "https://a.example.test" }, ...more },
    });

  for (const [platform, keys] of Object.entries(platforms)) {
    test(`${platform}: every key that it declares as more than a setting needs an admin`, async () => {
      const operator = await operatorOf();
      for (const [key, use] of Object.entries(keys)) {
        const { id, configuration } = await environmentOn(platform, credentials);
        const body = { configuration: { ...configuration, [key]: "https://b.example.test" } };
        const change = (client = operator) =>
          client.updateEnvironment({ params: { environment_id: id }, body });
        if (use === "setting") await change();
        else {
          await refused(change(), 403, new RegExp(`configuration\\.${key}: .*Only its admins`));
          await change(server.client);
        }
      }
    });
  }

  test("so does every other field that decides it", async () => {
    const operator = await operatorOf();
    const expected = ["dataPlatformClientIdKey", "dataPlatformClientSecretKey", "platform", "secretScope"];
    const found: string[] = [];
    for (const field of Object.keys(EnvironmentUpdateRequest.fields)) {
      if (field === "configuration") continue;
      const { id, ...before } = await environmentOn("databricks", credentials);
      const given = before[field as "platform"];
      const value = typeof given === "boolean" ? !given : field === "platform" ? "spark" : unique("x");
      await operator
        .updateEnvironment({ params: { environment_id: id }, body: { [field]: value } })
        .catch((error) => {
          assert.equal(error.status, 403, field);
          found.push(field);
        });
    }
    assert.deepEqual(found.sort(), expected);
  });

  test("an environment without credentials, and one of a platform that connects nowhere, are free", async () => {
    const operator = await operatorOf();
    const change = async (id: string, body: object) =>
      operator.updateEnvironment({ params: { environment_id: id }, body });
    const { id } = await environmentOn("databricks");
    await change(id, { configuration: { host: "https://b.example.test" } });
    await refused(change(id, credentials), 403, /dataPlatformClientIdKey/);
    const local = await environmentOn("embedded", credentials);
    await change(local.id, { secretScope: "other", configuration: { host: "b" } });
    // An operator who has prepared another host cannot move the credentials there with the platform.
    await refused(change(local.id, { platform: "databricks" }), 403, /platform/);
  });

  test("platforms read no key that they do not declare", async () => {
    const read = new Set<string>();
    const configuration = new Proxy({} as Record<string, unknown>, {
      get: (_, key) => void read.add(String(key)),
    });
    const environment = { id: "1", name: "e", configuration, secretScope: null };
    readConfiguration(environment, { allowsHttp: true });
    await readCredentials(
      { ...environment, dataPlatformClientIdKey: null, dataPlatformClientSecretKey: null },
      configuration,
      async () => undefined,
      [],
    );
    assert.deepEqual([...read].sort(), Object.keys(workspaceKeys).sort());
    read.clear();
    readCluster(environment, { allowsPlain: true });
    for (const key of read) assert.ok(key in clusterKeys, key);
  });
});
