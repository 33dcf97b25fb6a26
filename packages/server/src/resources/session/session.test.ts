import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@lakehelm/contract/client";
import { engines, startTestServer } from "../../testing/server.ts";

for (const engine of engines) {
  test(`the session of a user has only the environments where it has a role, on ${engine}`, async (t) => {
    const { url, client, events, close } = await startTestServer({ engine });
    t.after(close);
    const prod = await client.createEnvironment({ body: { name: "prod", protected: true } });
    const user = await client.createUser({ body: { username: "ada", role: "none" } });
    await client.putEnvironmentRole({
      params: { environment_id: "prod", username: "ada" },
      body: { role: "operator" },
    });
    const { token } = await client.createToken({ params: { user_id: user.id }, body: {} });
    const last = (await events()).at(-1)?.sequence;
    assert.deepEqual(await createClient({ baseUrl: url, token }).getSession(), {
      name: "ada",
      role: "none",
      auth_type: "user_token",
      manages_users: true,
      environments: [
        {
          id: prod.id,
          name: "prod",
          platform: "embedded",
          protected: true,
          is_active: true,
          role: "operator",
        },
      ],
      default_environment: "local",
      last_event: last,
    });
    const all = (await client.getSession()).environments.map(({ name }) => name);
    assert.deepEqual(all, ["local", "prod"]);
  });
}
