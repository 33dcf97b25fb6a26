import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, it, type TestContext } from "node:test";
import { onlyNightly } from "@lakehelm/testing/nightly";
import { ingestionOf, secrets } from "./ingestion-requests.ts";
import { type SparkEngine, startSpark } from "./spark-engine.ts";

type RestHandler = (
  url: URL,
  request: IncomingMessage,
) => { status?: number; headers?: object; body?: unknown };

describe("ingestion from a REST API", () => {
  let engine: SparkEngine;
  before(async () => {
    engine = await startSpark({ catalogs: ["main"] });
  });
  after(() => engine.stop());
  beforeEach(async () => {
    await engine.clear();
    await engine.sql("CREATE SCHEMA main.bronze");
  });

  /** A stand-in for a REST API. */
  async function api(t: TestContext, answer: RestHandler): Promise<string> {
    const server = createServer((request: IncomingMessage, response: ServerResponse) => {
      const { status = 200, headers = {}, body } = answer(new URL(request.url ?? "", "http://api"), request);
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify(body));
    }).listen(0, "127.0.0.1");
    await new Promise((listening) => server.once("listening", listening));
    t.after(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  }
  const from = (url: string, config: object, table: object = {}) =>
    ingestionOf("rest", { url, headers: { Authorization: "{{secrets/lakehelm/api}}" }, ...config }, [
      { source_dataset: "things", target_name: "t", ...table },
    ]);
  const rows = (columns = "*") => engine.sql(`SELECT ${columns} FROM main.bronze.t ORDER BY ALL`);
  const things = Array.from({ length: 5 }, (_, at) => ({ id: at + 1 }));

  const pagings: Record<string, { config: object; answer: RestHandler }> = {
    none: { config: {}, answer: () => ({ body: things }) },
    page: {
      config: { paging: "page", page_size: 2 },
      answer: ({ searchParams: query }) => {
        assert.equal(query.get("limit"), "2");
        const from = (Number(query.get("page")) - 1) * 2;
        return { body: things.slice(from, from + 2) };
      },
    },
    offset: {
      // Many servers return fewer records than requested.
      config: { paging: { type: "offset", parameter: "skip", size_parameter: "take" }, page_size: 1000 },
      answer: ({ searchParams: query }) => {
        const from = Number(query.get("skip"));
        return { body: things.slice(from, from + 2) };
      },
    },
    cursor: {
      config: {
        paging: { type: "cursor", parameter: "after", next_path: "meta.next" },
        records_path: "data.list",
      },
      answer: ({ searchParams: query }) => {
        const from = Number(query.get("after") ?? 0);
        return {
          body: {
            data: { list: things.slice(from, from + 2) },
            meta: { next: from < 4 ? String(from + 2) : null },
          },
        };
      },
    },
    link: {
      config: { paging: "link" },
      answer: ({ searchParams: query }) => {
        const from = Number(query.get("from"));
        const next = `</v1/things?from=0>; rel="first", </v1/things?from=${from + 2}>; rel="next"`;
        return { body: things.slice(from, from + 2), headers: from < 4 ? { link: next } : {} };
      },
    },
  };
  for (const [name, { config, answer }] of Object.entries(pagings)) {
    it(`reads all pages: ${name}`, async (t) => {
      const url = await api(t, (address, request) => {
        assert.equal(request.headers.authorization, secrets["lakehelm/api"]);
        assert.equal(address.pathname, "/v1/things");
        return answer(address, request);
      });
      await engine.completes(from(url, config), { secrets });
      assert.deepEqual(await rows(), things);
    });
  }

  it("retries after the delay that a busy server asks for, and sends headers to no other server", async (t) => {
    let requests = 0;
    let waited = 0;
    const began = Date.now();
    const url = await api(t, () => {
      requests += 1;
      if (requests === 1) return { status: 503, headers: { "retry-after": "1" } };
      if (requests === 2) waited = Date.now() - began;
      if (requests === 2)
        return { status: 429, headers: { "retry-after": new Date(Date.now() + 1000).toUTCString() } };
      return { body: things };
    });
    await engine.completes(from(url, {}), { secrets });
    assert.equal(requests, 3);
    assert.ok(waited >= 1000);

    let leaked = 0;
    const other = await api(t, () => {
      leaked += 1;
      return { body: things };
    });
    const redirecting = await api(t, () => ({ status: 302, headers: { location: `${other}/things` } }));
    const linking = await api(t, () => ({ body: { next: `${other}/things`, list: [] } }));
    const link = { paging: { type: "link", next_path: "next" }, records_path: "list" };
    for (const notebook of [from(redirecting, {}), from(linking, link)]) {
      const { error } = await engine.runNotebook(notebook, { secrets });
      assert.match(String(error?.trace), /the server refers to another server/);
    }
    assert.equal(leaked, 0);

    const refusing = await api(t, () => ({ status: 401 }));
    const { error } = await engine.runNotebook(from(refusing, {}), { secrets });
    assert.match(String(error?.trace), /401/);
  });

  it(
    "infers types of columns, keeps nested values as JSON, and later reads with the target's types",
    onlyNightly,
    async (t) => {
      const odd = "it's \"odd\" ${x} \u202e \u2028 '''";
      let body: object[] = [
        {
          id: 1,
          price: 1,
          ok: true,
          nested: { a: [1, null] },
          text: odd,
          mixed: 1,
          nothing: null,
          big: 2 ** 62,
        },
        { id: 2, price: 1.5, ok: null, nested: [], text: "", mixed: "x", nothing: null },
      ];
      const url = await api(t, () => ({ body }));
      const notebook = from(
        url,
        { pii_columns: ["Secret_Name"] },
        { primary_keys: ["id"], pii_suppressed: true },
      );
      await engine.completes(notebook, { secrets });
      assert.deepEqual(await rows("id, price, ok, nested, text, mixed, big"), [
        {
          id: 1,
          price: 1,
          ok: true,
          nested: '{"a":[1,null]}',
          text: odd,
          mixed: "1",
          big: "4611686018427388000",
        },
        { id: 2, price: 1.5, ok: null, nested: "[]", text: "", mixed: "x", big: null },
      ]);
      body = [{ id: 2, price: 3, more: "x", secret_name: "Ada" }];
      assert.match((await engine.completes(notebook, { secrets })).output, /0 inserted, 1 updated/);
      assert.deepEqual(await rows("id, price, text, more"), [
        { id: 1, price: 1, text: odd, more: null },
        { id: 2, price: 3, text: null, more: "x" },
      ]);
      body = [{ id: "three" }];
      const { error } = await engine.runNotebook(notebook, { secrets });
      assert.match(String(error?.trace), /the column id is bigint in the target, and string in the source/);
    },
  );

  it("sends the watermark, and appends late records at the watermark once", async (t) => {
    const all = [
      { id: 1, at: "2026-01-01T10:00:00Z" },
      { id: 2, at: "2026-01-01T12:30:00+0200" },
    ];
    const marks: (string | null)[] = [];
    const url = await api(t, ({ searchParams: query }) => {
      const since = query.get("since");
      marks.push(since);
      return { body: all.filter(({ at }) => !(new Date(at) < new Date(since ?? 0))) };
    });
    const notebook = from(url, { watermark_param: "since" }, { watermark_column: "at" });
    await engine.completes(notebook, { secrets });
    // Compared as text, both times are less than the watermark.
    all.push({ id: 3, at: "2026-01-01T10:30:00Z" }, { id: 4, at: "2026-01-01T12:00:00Z" });
    const second = await engine.completes(notebook, { secrets });
    assert.match(
      second.output,
      /2 inserted, 0 updated, mark 2026-01-01T12:30:00\+0200 -> 2026-01-01T12:00:00Z/,
    );
    assert.match((await engine.completes(notebook, { secrets })).output, /0 inserted/);
    assert.deepEqual(await rows("id"), [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]);
    assert.deepEqual(marks, [null, "2026-01-01T12:30:00+0200", "2026-01-01T12:00:00Z"]);

    all.push({ id: 5, at: "9999-12-31T00:00:00Z" });
    const endless = await engine.completes(notebook, { secrets });
    assert.match(endless.output, /1 rows have a watermark that no later row can exceed/);
    assert.match(endless.output, /1 inserted, 0 updated\n/);
    all.push({ id: 6, at: "v10" });
    const parameters = { reset_watermark: "true" };
    const { error } = await engine.runNotebook(notebook, { secrets, parameters });
    assert.match(
      String(error?.trace),
      /the column at cannot be the watermark, because it has the text 'v10'/,
    );
  });

  it("does nothing while there are no records", async (t) => {
    const url = await api(t, () => ({ body: [] }));
    assert.match((await engine.completes(from(url, {}), { secrets })).output, /there are no records yet/);
  });
});
