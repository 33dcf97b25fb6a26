import assert from "node:assert/strict";
import { test } from "node:test";
import { type Endpoint, EnvironmentCreateRequest, endpoints } from "@lakehelm/contract";
import * as s from "@lakehelm/contract/schema";
import { startTestApp } from "./test-app.ts";

const old = { since: "2027-01-31", sunset: "2027-08-01", link: "https://docs.example.test/old" };
const older = { since: "2026-12-01", sunset: "2027-09-01", link: "https://docs.example.test/older" };

const { getInfo, listEnvironments, createEnvironment, getHealth } = endpoints;
const { fields } = EnvironmentCreateRequest;
const declared: Record<string, Endpoint> = {
  ...endpoints,
  getInfo: { ...getInfo, deprecated: old },
  listEnvironments: {
    ...listEnvironments,
    query: { ...listEnvironments.query, skip: listEnvironments.query.skip.deprecated(older) },
  },
  createEnvironment: {
    ...createEnvironment,
    deprecated: old,
    body: s.model("EnvironmentCreateRequest", { ...fields, protected: fields.protected.deprecated(older) }),
  },
  getHealth: {
    ...getHealth,
    response: s.model("Health", {
      ...getHealth.response.fields,
      live: getHealth.response.fields.live.deprecated(older),
    }),
  },
};

const info = getInfo.example.response;
const handlers = {
  getInfo: async () => ({ body: { ...info, platforms: [...info.platforms] } }),
  listEnvironments: async () => ({ body: { environments: [], total: 0 } }),
  createEnvironment: async () => ({ body: createEnvironment.example.response }),
  getHealth: async () => ({ body: getHealth.example.response }),
};

const headersOf = ({ headers }: Response) =>
  ["deprecation", "sunset", "link"].map((name) => headers.get(name));
const none = [null, null, null];
const saysOld = [
  "@1801353600",
  "Sun, 01 Aug 2027 00:00:00 GMT",
  '<https://docs.example.test/old>; rel="deprecation"; type="text/html"',
];
const saysOlder = [
  "@1796083200",
  "Wed, 01 Sep 2027 00:00:00 GMT",
  '<https://docs.example.test/older>; rel="deprecation"; type="text/html"',
];

test("answers of a deprecated endpoint, and of one with a deprecated field, say so in headers", async (t) => {
  const { url } = await startTestApp(t, handlers, undefined, declared);
  assert.deepEqual(headersOf(await fetch(`${url}/info`)), saysOld);
  assert.deepEqual(headersOf(await fetch(`${url}/health`)), saysOlder);
});

test("a deprecated parameter or field counts only if it is sent; the earliest dates of several count", async (t) => {
  const { url, token } = await startTestApp(t, handlers, undefined, declared);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const list = async (query: string) =>
    headersOf(await fetch(`${url}/api/v1/environments${query}`, { headers }));
  assert.deepEqual(await list(""), none);
  assert.deepEqual(await list("?limit=5"), none);
  assert.deepEqual(await list("?limit=5&skip=1"), saysOlder);
  const create = async (body: object) => {
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return headersOf(await fetch(`${url}/api/v1/environments`, init));
  };
  assert.deepEqual(await create({ name: "a" }), saysOld);
  assert.deepEqual(await create({ name: "a", protected: false }), [
    saysOlder[0],
    saysOld[1],
    `${saysOld[2]}, ${saysOlder[2]}`,
  ]);
});

test("nothing of the API is deprecated without a sunset at least 180 days later", async (t) => {
  const { url } = await startTestApp(t, handlers);
  assert.deepEqual(headersOf(await fetch(`${url}/info`)), none);
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const { query = {}, body, response } = endpoint;
    const schemas = [body, response].flatMap((schema) =>
      schema instanceof s.ModelSchema ? Object.values<s.AnySchema>(schema.fields) : [],
    );
    const all = [endpoint.deprecated, ...[...Object.values(query), ...schemas].map((one) => one.deprecation)];
    for (const deprecation of all) {
      if (!deprecation) continue;
      const days = (Date.parse(deprecation.sunset) - Date.parse(deprecation.since)) / 86_400_000;
      assert.ok(days >= 180, `${name}: ${days} days`);
    }
  }
});
