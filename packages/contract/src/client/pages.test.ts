import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint } from "../endpoint.ts";
import * as endpoints from "../endpoints/index.ts";
import { ModelSchema } from "../schema/index.ts";
import { respond, startStubApi } from "./api.fixture.ts";
import { createClient } from "./index.ts";
import { operationOf } from "./operations.ts";

/** A list of users that grows by one with each page, up to `most`. */
function growing(count: number, most: number) {
  const users = Array.from({ length: count }, (_, index) => ({ username: `u${index}` }));
  return (url: string) => {
    const query = new URL(url, "http://x").searchParams;
    const skip = Number(query.get("skip") ?? 0);
    const page = { users: users.slice(skip, skip + Number(query.get("limit") ?? 100)), total: users.length };
    if (users.length < most) users.push({ username: `u${users.length}` });
    return page;
  };
}

test("every item is yielded once, including those added meanwhile", async (t) => {
  const read = growing(5, 8);
  const { baseUrl, received } = await startStubApi(t, ({ url }, response) =>
    respond(response, 200, read(url)),
  );
  const client = createClient({ baseUrl, token: "t" });
  const names: string[] = [];
  for await (const user of client.all.listUsers({ query: { limit: 2 } })) names.push(user.username);
  assert.deepEqual(names, ["u0", "u1", "u2", "u3", "u4", "u5", "u6", "u7"]);
  assert.deepEqual(
    received.map(({ url }) => url),
    [0, 2, 4, 6].map((skip) => `/api/v1/users?limit=2&skip=${skip}`),
  );
});

test("no page is read before its items are needed", async (t) => {
  const read = growing(10, 10);
  const { baseUrl, received } = await startStubApi(t, ({ url }, response) =>
    respond(response, 200, read(url)),
  );
  for await (const user of createClient({ baseUrl, token: "t" }).all.listUsers({
    query: { limit: 3, skip: 2 },
  })) {
    if (user.username === "u4") break;
  }
  assert.equal(received.length, 1);
});

test("an empty list, and one with a single page, end", async (t) => {
  const { baseUrl, received } = await startStubApi(t, ({ url }, response) =>
    respond(
      response,
      200,
      url.includes("secrets")
        ? { scope: "crm", secrets: [{ key: "password" }], total: 1 }
        : { connectors: [], total: 0 },
    ),
  );
  const client = createClient({ baseUrl, token: "t" });
  assert.deepEqual(await Array.fromAsync(client.all.listConnectors()), []);
  const secrets = await Array.fromAsync(client.all.listSecrets({ params: { scope: "crm" } }));
  assert.deepEqual(secrets, [{ key: "password" }]);
  assert.equal(received.length, 2);
});

/** Runs are newest first and have a cursor instead of a total. */
const hasTotal = ({ response }: Endpoint) => response instanceof ModelSchema && "total" in response.fields;

test("every list of the contract with a total has pages", () => {
  const all = Object.keys(createClient({ baseUrl: "" }).all).sort();
  const lists = Object.entries<Endpoint>(endpoints).filter(
    ([name, endpoint]) => name.startsWith("list") && hasTotal(endpoint),
  );
  assert.deepEqual(all, lists.map(([name]) => name).sort());
  for (const [name, endpoint] of lists) assert.ok(operationOf(endpoint).list?.key, name);
});
