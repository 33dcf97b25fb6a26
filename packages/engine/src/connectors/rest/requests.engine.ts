/** Requests of their own for datasets of a REST API: POST with a body, and children of parents. */
import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { describe, it } from "node:test";
import { startApi } from "../../testing/rest-api.ts";
import { SimulatedCrash, startTransferHarness } from "../../testing/transfer-harness.ts";
import { ingest } from "../../transfer/ingest.ts";

const jsonOf = async (request: IncomingMessage) =>
  JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString());

describe("a REST request with a body", () => {
  const graphql = {
    requests: {
      orders: {
        path: "graphql",
        method: "POST",
        body: { query: "query ($after: String) { orders { nodes { id } } }", variables: { shop: 7 } },
        records_path: "data.orders.nodes",
        page_size: 2,
        paging: {
          type: "cursor",
          parameter: "variables.after",
          size_parameter: "variables.first",
          next_path: "data.orders.pageInfo.endCursor",
          more_path: "data.orders.pageInfo.hasNextPage",
        },
        watermark_param: "variables.since",
      },
    },
  };

  it("has paging and watermark in the body, which GraphQL needs", async (t) => {
    const sent: { variables: Record<string, unknown> }[] = [];
    const { source, read, requested } = await startApi(
      t,
      async (_, __, request) => {
        assert.deepEqual([request.method, request.headers["content-type"]], ["POST", "application/json"]);
        const body = await jsonOf(request);
        sent.push(body);
        const from = Number(body.variables.after ?? 0);
        const nodes = [1, 2, 3, 4, 5].slice(from, from + 2).map((id) => ({ id }));
        // The last page has a cursor too.
        const pageInfo = { endCursor: String(from + 2), hasNextPage: from + 2 < 5 };
        return { data: { orders: { nodes, pageInfo } } };
      },
      graphql,
    );
    const since = { column: "id", value: "2" };
    const { rows } = await read(source, "orders", { since });
    assert.deepEqual(
      rows.map(([id]) => Number(id)),
      [2, 3, 4, 5],
    );
    assert.ok(requested.every((url) => url === "/v1/graphql"));
    assert.deepEqual(
      sent.slice(-3).map(({ variables }) => variables),
      [
        { shop: 7, first: 2, since: 2 },
        { shop: 7, first: 2, since: 2, after: "2" },
        { shop: 7, first: 2, since: 2, after: "4" },
      ],
    );
  });

  it("is repeated with the same body when the server is busy, and shows what GraphQL reports", async (t) => {
    const bodies: string[] = [];
    let isBroken = false;
    const { source } = await startApi(
      t,
      async (_, response, request) => {
        if (isBroken) return { errors: [{ message: "Field 'ordrs' does not exist" }] };
        bodies.push(JSON.stringify(await jsonOf(request)));
        if (bodies.length === 1) return response.writeHead(429, { "Retry-After": "0" }).end();
        return { data: { orders: { nodes: [{ id: 1 }], pageInfo: { endCursor: null } } } };
      },
      graphql,
    );
    await source.describe("orders");
    assert.equal(bodies.length, 2);
    assert.equal(bodies[0], bodies[1]);
    isBroken = true;
    await assert.rejects(source.describe("orders"), /It reports: Field 'ordrs' does not exist/);
  });

  it("is not followed to another method or server", async (t) => {
    const { source } = await startApi(
      t,
      (url, response, request) => {
        if (url.pathname.endsWith("moved")) return request.method === "POST" ? [{ id: 1 }] : undefined;
        const status = url.searchParams.has("see") ? 303 : 307;
        return response.writeHead(status, { Location: "/v1/moved" }).end();
      },
      { requests: { kept: { path: "a", method: "POST" }, changed: { path: "a?see=1", method: "POST" } } },
    );
    assert.equal((await source.describe("kept")).columns.length, 1);
    await assert.rejects(source.describe("changed"), /a responds with 303/);
  });
});

describe("a dataset with a parent", () => {
  const childSettings = (more: object = {}) => ({
    paging: "page",
    requests: {
      orders: {
        path: "customers/{customer_id}/orders",
        parent: { dataset: "customers", keys: { customer_id: "id", country: "address.country" }, ...more },
      },
    },
  });

  /** Three customers on two pages, the second one on both. Customer n has n orders on pages of two. */
  const customers = [1, 2, 2, 3].map((id) => ({
    id,
    address: { country: id === 3 ? null : "DE" },
    changed: `2026-01-0${id}T00:00:00Z`,
  }));
  const shop = (url: URL) => {
    const page = Number(url.searchParams.get("page"));
    const [, customer] = /customers\/(\d+)\/orders$/.exec(url.pathname) ?? [];
    if (customer === undefined) return customers.slice((page - 1) * 2, page * 2);
    const numbers = Array.from({ length: Number(customer) }, (_, at) => at + 1);
    return numbers.slice((page - 1) * 2, page * 2).map((number) => ({
      number,
      customer_id: "wrong",
      day: `2026-01-0${customer}T12:00:00Z`,
    }));
  };

  it("has one request for each parent, and columns of it", async (t) => {
    const { source, read, requested } = await startApi(t, shop, childSettings());
    const { rows, types } = await read(source, "orders");
    assert.deepEqual(types, ["BIGINT", "VARCHAR", "BIGINT", "TIMESTAMP WITH TIME ZONE"]);
    assert.deepEqual(
      rows.map((row) => row.slice(0, 3).join()),
      ["1,DE,1", "2,DE,1", "2,DE,2", "3,,1", "3,,2", "3,,3"],
    );
    const first = requested.filter((url) => url === "/v1/customers/2/orders?page=1");
    assert.equal(first.length, 2, "once to find the columns, and once to read");
  });

  it("reads the children of changed parents alone, if the parent has a watermark", async (t) => {
    const settings = { ...childSettings({ watermark_column: "changed" }), watermark_param: "since" };
    const { source, read, requested } = await startApi(t, shop, settings);
    const since = { column: "day", value: "2026-01-02 00:00:00+00" };
    const reads = async (given: object) => {
      requested.length = 0;
      const { rows } = await read(source, "orders", given);
      return rows.length;
    };
    assert.equal(await reads({ since }), 5);
    const later = requested.filter((url) => url.includes("since=2026-01-02T00%3A00%3A00Z"));
    assert.deepEqual(
      later.filter((url) => url.startsWith("/v1/customers?")).length,
      3,
      "the pages of parents and the empty one",
    );
    assert.ok(!later.some((url) => url.startsWith("/v1/customers/1/")));
    const all = await startApi(t, shop, childSettings());
    assert.equal((await all.read(all.source, "orders", { since })).rows.length, 5);
    assert.ok(all.requested.filter((url) => url.startsWith("/v1/customers/1/")).length > 1);
  });

  it("moves children once, also after a crash and when only some parents have changed", async (t) => {
    const changedAt = new Map([1, 2, 3].map((id) => [id, `2026-01-0${id}T00:00:00Z`]));
    const orders = new Map([1, 2, 3].map((id) => [id, [id * 10]]));
    const { url, requested } = await startApi(t, ({ pathname }) => {
      const [, customer] = /customers\/(\d+)\/orders$/.exec(pathname) ?? [];
      if (customer !== undefined) return orders.get(Number(customer))?.map((number) => ({ number }));
      return [...changedAt].map(([id, changed]) => ({ id, changed }));
    });
    const keys = { customer_id: "id", customer_changed: "changed" };
    const parent = { dataset: "customers", keys, watermark_column: "changed" };
    const config = { url, requests: { orders: { path: "customers/{customer_id}/orders", parent } } };
    const { request, context, crashingAt, rows } = await startTransferHarness(t);
    const transfer = request(
      { source: "orders", keys: ["customer_id", "number"], watermark: "customer_changed" },
      { connection: { type: "rest", config } },
    );
    const moved = async () =>
      (await rows('SELECT customer_id, number FROM _main."default".orders ORDER BY ALL')).map((row) =>
        row.join(),
      );
    await assert.rejects(ingest(transfer, crashingAt("written")), SimulatedCrash);
    assert.equal((await ingest(transfer, context)).inserted, 3);
    changedAt.set(2, "2026-01-05T00:00:00Z");
    orders.get(2)?.push(21);
    await assert.rejects(ingest(transfer, crashingAt("written")), SimulatedCrash);
    requested.length = 0;
    assert.equal((await ingest(transfer, context)).inserted, 1);
    assert.deepEqual(await moved(), ["1,10", "2,20", "2,21", "3,30"]);
    // One more request than for the others finds the columns.
    const times = (id: number) => requested.filter((one) => one === `/v1/customers/${id}/orders`).length;
    assert.deepEqual([times(1), times(2), times(3)], [1, 2, 2]);
    assert.equal((await ingest(transfer, context)).inserted, 0);
  });

  it("requests as many parents at the same time as it is allowed to", async (t) => {
    let running = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const parents = Array.from({ length: 30 }, (_, id) => ({ id: id + 1 }));
    const { source, read } = await startApi(
      t,
      async (url) => {
        const page = Number(url.searchParams.get("page"));
        if (url.pathname.endsWith("/customers")) return page === 1 ? parents : [];
        if (page > 1) return [];
        running += 1;
        most = Math.max(most, running);
        // Each answer waits for another request, so that three are under way at some time.
        if (most < 3) await new Promise<void>((resolve) => waiting.push(resolve));
        else for (const resolve of waiting.splice(0)) resolve();
        running -= 1;
        return [{ number: 1 }];
      },
      childSettings({ concurrency: 3 }),
    );
    assert.equal((await read(source, "orders")).rows.length, 30);
    assert.equal(most, 3);
  });

  it("passes over parents that are gone, unless all are, and rejects those without a key", async (t) => {
    const parents = [{ id: 1 }, { id: null }, { id: "a/b" }, { id: ".." }, { id: 4 }];
    const { source, read, requested } = await startApi(
      t,
      (url, response) => {
        if (url.pathname.endsWith("/customers")) return parents;
        return url.pathname.includes("customers/1/") || url.pathname.includes("none")
          ? response.writeHead(404).end()
          : [{ number: 1 }];
      },
      {
        requests: {
          ...childSettings().requests,
          wrong: { path: "none/{id}", parent: { dataset: "customers", keys: { id: "id" } } },
        },
      },
    );
    const { rows, rejects } = await read(source, "orders");
    assert.deepEqual(rows.map(([id]) => id).sort(), ["4", "a/b"]);
    assert.deepEqual(rejects.map(({ reason }) => reason).sort(), [
      'the parent has no value for "customer_id"',
      'the parent\'s value for "customer_id" cannot be part of a path',
    ]);
    assert.ok(requested.includes("/v1/customers/a%2Fb/orders"));
    await assert.rejects(source.describe("wrong"), /none\/1 responds with 404/);
  });

  it("fails as a whole if the children of one parent cannot be read", async (t) => {
    const { source, read } = await startApi(
      t,
      (url, response) => (url.pathname.includes("/3/") ? response.writeHead(403).end() : shop(url)),
      childSettings(),
    );
    await assert.rejects(read(source, "orders"), /customers\/3\/orders responds with 403/);
  });

  it("says what is wrong with its settings", async (t) => {
    const problem = async (requests: unknown, expected: RegExp) =>
      assert.rejects(startApi(t, shop, { requests }), expected);
    await problem([], /requests: it must be a map/);
    await problem({ a: { path: "x/{id}" } }, /\{id\} stands for a key of a parent, and there is no parent/);
    await problem(
      { a: { path: "x", parent: { dataset: "b", keys: { id: "id" } } } },
      /has no key of the parent/,
    );
    await problem(
      { a: { path: "{n}", parent: { dataset: "b", keys: { id: "id" } } } },
      /keys: "n" is missing/,
    );
    await problem({ a: { body: {} } }, /body: it is sent only with the method POST/);
    await problem({ a: { path: "../x" } }, /leaves the connection's url/);
    await problem({ a: { parents: {} } }, /"parents" is not a setting/);
    const child = (dataset: string) => ({ path: "{id}", parent: { dataset, keys: { id: "id" } } });
    await problem({ a: child("b"), b: child("c") }, /a parent must not have a parent itself/);
  });
});
