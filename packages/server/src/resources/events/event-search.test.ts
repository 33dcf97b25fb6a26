import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { EndpointQueryInput, endpoints } from "@lakehelm/contract";
import { createClient } from "@lakehelm/contract/client";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, type TestServer } from "../../testing/server.ts";

type Query = EndpointQueryInput<typeof endpoints.readEvents>;

for (const engine of engines) {
  suite(`the event log by time, actor, name and environment on ${engine}`, () => {
    let server: TestServer;
    let other: string;
    let now = Date.parse("2026-03-01T12:00:00Z");
    const day = 86_400_000;

    before(async () => {
      server = await startTestServer({ engine, now: () => new Date(now) });
      const { client } = server;
      other = (await client.createEnvironment({ body: { name: "other" } })).id;
      const { id } = await client.createUser({ body: { username: "ann", role: "operator" } });
      const { token } = await client.createToken({ params: { user_id: id }, body: {} });
      const ann = createClient({ baseUrl: server.url, token });
      for (const [n, name] of ["first", "second", "third"].entries()) {
        now += day;
        const { id: deployment_id } = await (n === 1 ? ann : client).createDeployment({
          body: { deployment_name: name },
          ...(n === 2 && { environment: other }),
        });
        const params = { deployment_id };
        await client.appendDeploymentLog({ params, body: { log_chunk: "x" } });
      }
      // Waits until all events are sealed.
      await server.events("deployment.logged");
    });
    after(() => server.close());

    const read = (query: Query) => server.client.readEvents({ query: { kind: "deployment.*", ...query } });
    const found = async (query: Query) =>
      (await read(query)).events.map(({ kind, data }) => data.deployment_name ?? kind);

    test("by name, also events that do not carry it", async () => {
      assert.deepEqual(await found({ name: "second" }), ["second", "deployment.logged"]);
      assert.deepEqual(await found({ name: "Second" }), []);
      assert.deepEqual(await found({ name: "second", kind: "deployment.logged" }), ["deployment.logged"]);
    });

    test("by actor, by time, by environment and by text, newest first", async () => {
      assert.deepEqual(await found({ actor: "ann" }), ["second"]);
      assert.deepEqual(await found({ search: "HIRD", sort: "-created" }), ["deployment.logged", "third"]);
      assert.deepEqual(await found({ created_after: "2026-03-03T12:00:00Z", sort: "-created" }), [
        "deployment.logged",
        "third",
        "deployment.logged",
        "second",
      ]);
      assert.deepEqual(await found({ created_before: "2026-03-03T12:00:00Z" }), [
        "first",
        "deployment.logged",
      ]);
      assert.deepEqual(await found({ created_before: "0001-01-01" }), []);
      assert.equal((await found({ created_before: "9999-12-31", created_after: "0001-01-01" })).length, 6);
      assert.deepEqual(await found({ environment: "other" }), ["third", "deployment.logged"]);
      assert.deepEqual(await found({ environment: "local", actor: "ann", name: "second" }), ["second"]);
      await refused(read({ environment: "missing" }), 404);
    });

    for (const sort of ["created", "-created"] as const) {
      test(`cursors read everything once, ${sort}`, async () => {
        const all = (await read({ sort })).events.map(({ sequence }) => sequence);
        assert.deepEqual(
          all,
          all.toSorted((a, b) => (sort === "created" ? a - b : b - a)),
        );
        const seen: number[] = [];
        let cursor: string | null | undefined = "";
        let pages = 0;
        while (typeof cursor === "string") {
          const page: Awaited<ReturnType<typeof read>> = await read({ sort, cursor, limit: 2 });
          seen.push(...page.events.map(({ sequence }) => sequence));
          cursor = page.next_cursor;
          pages += 1;
        }
        assert.deepEqual([seen, pages], [all, 3]);
      });
    }

    test("a plain answer has no cursor, and next_after of a search continues it", async () => {
      assert.deepEqual(Object.keys(await read({})), ["events", "next_after", "removed_through"]);
      const { events, next_after, next_cursor } = await read({ sort: "-created", limit: 1 });
      assert.equal(next_after, events[0]?.sequence);
      assert.equal(typeof next_cursor, "string");
      assert.deepEqual((await read({ after: next_after })).events, []);
    });

    test("a cursor of other filters, an unknown parameter and a sorted stream are 422", async () => {
      const { next_cursor } = await read({ sort: "-created", limit: 1 });
      const cursor = next_cursor ?? "";
      await refused(read({ sort: "-created", actor: "ann", cursor }), 422, /another list/);
      await refused(read({ cursor, sort: "-created", after: 3 }), 422, /cannot be combined/);
      const unknown = await server.fetch("/api/v1/events?unknown=1");
      assert.equal(unknown.status, 422);
      const stream = await server.fetch("/api/v1/events?sort=-created", {
        headers: { accept: "text/event-stream" },
      });
      assert.equal(stream.status, 422);
    });

    test("a stream has the filters too", async () => {
      const abort = new AbortController();
      const response = await server.fetch("/api/v1/events?actor=ann&kind=deployment.*", {
        headers: { accept: "text/event-stream" },
        signal: abort.signal,
      });
      let text = "";
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        if (text.includes('"second"')) break;
      }
      abort.abort();
      assert.doesNotMatch(text, /"first"|"third"/);
    });

    test("a caller with a role in one environment finds nothing else", async () => {
      const { client } = server;
      const { id } = await client.createUser({ body: { username: "bob", role: "none" } });
      const { token } = await client.createToken({ params: { user_id: id }, body: {} });
      const params = { environment_id: other, username: "bob" };
      await client.putEnvironmentRole({ params, body: { role: "viewer" } });
      const bob = createClient({ baseUrl: server.url, token });
      const { events } = await bob.readEvents({ query: { sort: "-created", search: "deployment" } });
      assert.deepEqual(
        events.map(({ kind }) => kind),
        ["deployment.logged", "deployment.created"],
      );
      await refused(bob.readEvents({ query: { environment: "local" } }), 404);
    });
  });
}
