import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startTestServer } from "../../testing/server.ts";
import { isNotModified, readIfMatch } from "./preconditions.ts";
import { send } from "./test-requests.ts";

async function given(t: TestContext) {
  const server = await startTestServer({});
  t.after(() => server.close());
  const request = (method: string, path: string, headers: Record<string, string> = {}) =>
    send(server.url, { method, path, headers: { authorization: `Bearer ${server.token}`, ...headers } });
  return { server, client: server.client, request };
}

test("If-None-Match names a tag, several, or all, weak or strong", () => {
  for (const header of ['"2"', 'W/"2"', '"1", "2"', ' W/"1" ,W/"2"', '"1","2","3"', "*", " * "]) {
    assert.equal(isNotModified(header, '"2"'), true, header);
  }
  for (const header of [undefined, "", "2", '"1"', '"22"', '"1, 2"', '"2', "W/2", '"*"']) {
    assert.equal(isNotModified(header, '"2"'), false, String(header));
  }
});

test("If-Match reads the version of a tag, with or without a digest", () => {
  assert.deepEqual(readIfMatch('"3", "4-aB_9-x"'), [3, 4]);
  assert.deepEqual(readIfMatch('W/"3", "4-", "4-a b", "x"'), []);
});

test("304 without a body for every resource with an ETag, until it changes", async (t) => {
  const { client, request } = await given(t);
  const local = await client.getEnvironment({ params: { environment_id: "local" } });
  const connector = await client.createConnector({
    body: { name: "c", target_type: "warehouse", target_config: {}, created_by: "ada" },
  });
  await client.createAutomation({ body: { alias: "a" } });
  await client.putFile({ params: { path: "f.txt" }, body: new TextEncoder().encode("one") });
  const pipeline = await client.createPipeline({ body: { name: "p", libraries: [{ jar: "a.jar" }] } });
  const agent = await client.createAgent({ body: { name: "helper" } });
  const paths = {
    environment: `/api/v1/environments/${local.id}`,
    connector: `/api/v1/connectors/${connector.id}`,
    automation: "/api/automations/a",
    pipeline: `/api/v1/pipelines/${pipeline.pipeline_id}`,
    agent: `/api/agents/${agent.id}`,
    file: "/api/v1/files/f.txt",
  };
  const tags = new Map<string, string>();
  for (const path of Object.values(paths)) {
    const first = await request("GET", path);
    const etag = first.headers.etag ?? "";
    tags.set(path, etag);
    assert.match(etag, /^"[\w-]+"$/, path);
    for (const method of ["GET", "HEAD"]) {
      for (const header of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const got = await request(method, path, { "if-none-match": header });
        assert.deepEqual([got.status, got.text, got.headers.etag], [304, "", etag], `${path} ${header}`);
        assert.equal(got.headers["content-type"], undefined);
        assert.match(got.headers["x-request-id"] as string, /./);
      }
    }
    const other = await request("GET", path, { "if-none-match": '"other"' });
    assert.deepEqual([other.status, other.text], [200, first.text], path);
  }

  await client.updateEnvironment({ params: { environment_id: local.id }, body: { description: "new" } });
  await client.updateConnector({
    params: { connector_id: connector.id },
    body: { name: "d" },
  });
  await client.putFile({ params: { path: "f.txt" }, body: new TextEncoder().encode("two") });
  // The release is part of the answer, but does not change the version of the automation.
  await client.syncAutomationRelease({ body: { automation_alias: "a", environment: "local" } });
  await client.updatePipeline({ params: { pipeline_id: pipeline.pipeline_id }, body: { name: "q" } });
  for (const path of [paths.environment, paths.connector, paths.automation, paths.pipeline, paths.file]) {
    const got = await request("GET", path, { "if-none-match": tags.get(path) ?? "" });
    assert.equal(got.status, 200, path);
  }
});

test("If-None-Match has no effect on other methods and on errors", async (t) => {
  const { request } = await given(t);
  const unknown = await request("GET", "/api/v1/environments/none", { "if-none-match": "*" });
  assert.equal(unknown.status, 404);
  const created = await send((await given(t)).server.url, { method: "POST", path: "/api/v1/auth/token" });
  assert.equal(created.status, 422);
  const list = await request("GET", "/api/v1/environments/", { "if-none-match": "*" });
  assert.equal(list.status, 200, "a list has no ETag");
});

test("the tag of a computed answer is a valid If-Match", async (t) => {
  const { client } = await given(t);
  const { pipeline_id } = await client.createPipeline({ body: { name: "p", libraries: [{ jar: "a.jar" }] } });
  const { etag } = await client.withResponse.getPipeline({ params: { pipeline_id } });
  assert.match(etag ?? "", /^"\d+-[\w-]{22}"$/);
  const change = (name: string) =>
    client.updatePipeline({ params: { pipeline_id }, body: { name }, ifMatch: etag ?? "" });
  await change("q");
  await assert.rejects(change("r"), { status: 412 });
});
