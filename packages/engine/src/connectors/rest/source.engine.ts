import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { describe, it, type TestContext } from "node:test";
import type { DataProblem } from "../../protocol/problem.ts";
import { type RestApiHandler, startApi } from "../../testing/rest-api.ts";
import { startTransferHarness } from "../../testing/transfer-harness.ts";
import { ingest } from "../../transfer/ingest.ts";
import { openRestSource } from "./source.ts";

const numbered = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: from + at }));
const ids = (rows: readonly (readonly unknown[])[]) =>
  rows.map(([id]) => Number(id)).sort((one, other) => one - other);

describe("a REST source", () => {
  it("reads values without loss, and NULL differs from an empty text", async (t) => {
    const { source, read } = await startApi(
      t,
      () => `{"data": {"items": [
        {"id": 9223372036854775807, "huge": 12345678901234567890123, "ratio": 1.5, "note": "", "at": "2026-02-28T12:30:00+02:00", "day": "2026-02-28", "tags": {"n": 12345678901234567890}, "ok": false, "odd \\"name\\"": "Ünïcode 🚀"},
        {"id": 2, "huge": 1, "ratio": 2, "note": null, "at": "2026-02-28T12:30:00.000001Z", "tags": [1], "ok": null, "never": null}
      ]}}`,
      { records_path: "data.items", headers: { Authorization: "Bearer x" } },
    );
    const { rows, types, rejects } = await read(source, "things");
    assert.deepEqual(rejects, []);
    assert.deepEqual(types, [
      "BIGINT",
      "DECIMAL(38,0)",
      "DOUBLE",
      "VARCHAR",
      "TIMESTAMP WITH TIME ZONE",
      "DATE",
      "JSON",
      "BOOLEAN",
      "VARCHAR",
    ]);
    assert.deepEqual(rows, [
      ["2", "1", 2, null, "2026-02-28 12:30:00.000001+00", null, "[1]", null, null],
      [
        "9223372036854775807",
        "12345678901234567890123",
        1.5,
        "",
        "2026-02-28 10:30:00+00",
        "2026-02-28",
        '{"n":12345678901234567890}',
        false,
        "Ünïcode 🚀",
      ],
    ]);
    const { watermark_candidates } = await source.describe("things");
    assert.deepEqual(watermark_candidates, ["at", "day"]);
  });

  it("rejects values that do not fit their columns, and entries that are not records", async (t) => {
    const { source, read } = await startApi(
      t,
      (url) => {
        const page = Number(url.searchParams.get("page"));
        if (page <= 5) return numbered(page * 10, 2);
        return page === 6 ? [{ id: "seven" }, null, [1], { id: 1.5 }, { id: 70, late: true }] : [];
      },
      { paging: "page" },
    );
    const { rows, rejects } = await read(source, "things");
    assert.deepEqual(ids(rows), [10, 11, 20, 21, 30, 31, 40, 41, 50, 51, 70]);
    assert.deepEqual(rejects.map(({ reason }) => reason).sort(), [
      'the column "id": 1.5 is not a BIGINT',
      'the column "id": seven is not a BIGINT',
      "the list of records contains something that is not a record",
      "the list of records contains something that is not a record",
    ]);
  });

  for (const [name, paging, handler] of [
    [
      "page",
      { type: "page", parameter: "p", first: 0, size_parameter: "size" },
      (url: URL) => {
        const at = Number(url.searchParams.get("p")) * 2;
        return numbered(at, Math.max(0, Math.min(Number(url.searchParams.get("size")), 5 - at)));
      },
    ],
    [
      "offset",
      "offset",
      (url: URL) => {
        const at = Number(url.searchParams.get("offset"));
        return numbered(at, Math.max(0, Math.min(Number(url.searchParams.get("limit")), 5 - at)));
      },
    ],
    [
      "cursor",
      { type: "cursor", next_path: "next.cursor" },
      (url: URL) => {
        const at = Number(url.searchParams.get("cursor") ?? 0);
        return { items: numbered(at, Math.min(2, 5 - at)), next: at + 2 < 5 ? { cursor: at + 2 } : null };
      },
    ],
    [
      "link",
      { type: "link" },
      (url: URL, response: ServerResponse) => {
        const at = Number(url.searchParams.get("from") ?? 0);
        if (at + 2 < 5)
          response.setHeader("Link", `</v1/first>; rel="first", <?from=${at + 2}&limit=2>; rel="next"`);
        return numbered(at, Math.min(2, 5 - at));
      },
    ],
    [
      "link",
      { type: "link", next_path: "next" },
      (url: URL) => {
        const at = Number(url.searchParams.get("from") ?? 0);
        return {
          items: numbered(at, Math.min(2, 5 - at)),
          next: at + 2 < 5 ? `/v1/things?from=${at + 2}` : undefined,
        };
      },
    ],
  ] as const) {
    it(`follows pages: ${name} ${JSON.stringify(paging)}`, async (t) => {
      const records_path = handler.toString().includes("items") ? "items" : undefined;
      const { source, read } = await startApi(t, handler, { paging, page_size: 2, records_path });
      assert.deepEqual(ids((await read(source, "things")).rows), [0, 1, 2, 3, 4]);
    });
  }

  it("later runs cast values to the types of the table", async (t) => {
    const responses = [
      [{ id: 1, price: 1.5, count: 1, note: "a", ok: true, at: "2026-01-01T00:00:00Z" }],
      [{ id: 2, price: 2, count: 2, note: 7, ok: null, at: "2026-01-02T00:00:00Z", tags: [1] }],
      [
        { id: 3, price: 3, count: 3.5, note: "c", ok: true, at: "2026-01-03T00:00:00Z" },
        { id: 4, price: 4, count: 4, note: { x: 1 }, ok: "maybe", at: "2026-01-03T00:00:00Z" },
        { id: 5, price: 5, count: 5, note: "e", ok: false, at: "soon" },
        { id: 6, price: 6, count: 6, note: { x: 1 }, ok: false, at: "2026-01-03T00:00:00Z", tags: "b" },
      ],
    ];
    let day = 0;
    const { url } = await startApi(t, () => responses[day]);
    const { request, context, rows } = await startTransferHarness(t);
    const run = () =>
      ingest(
        request(
          { source: "orders", watermark: null, maxRejectShare: 1 },
          { connection: { type: "rest", config: { url } } },
        ),
        context,
      );
    for (const rejected of [0, 0, 2]) {
      assert.equal((await run()).rejected, rejected);
      day += 1;
    }
    assert.deepEqual(
      await rows('SELECT id, price, count, note, ok, tags FROM _main."default".orders ORDER BY id'),
      [
        ["1", 1.5, 1, "a", true, null],
        ["2", 2, 2, "7", null, "[1]"],
        ["3", 3, 3.5, "c", true, null],
        ["6", 6, 6, '{"x":1}', false, '"b"'],
      ],
    );
  });

  it("sends the watermark as a parameter, and filters the rows as well", async (t) => {
    const { source, read, requested } = await startApi(
      t,
      () => [
        { id: 1, updated_at: "2026-01-01T09:59:59Z" },
        { id: 2, updated_at: "2026-01-01T12:00:00+02:00" },
        { id: 3, updated_at: null },
        { id: 4, updated_at: "2026-01-01T10:00:00.25Z" },
      ],
      { watermark_param: "since" },
    );
    const since = { column: "updated_at", value: "2026-01-01 10:00:00+00" };
    assert.deepEqual(ids((await read(source, "things?kind=a%20b", { since })).rows), [2, 3, 4]);
    assert.deepEqual(requested, [
      "/v1/things?kind=a%20b",
      "/v1/things?kind=a+b&since=2026-01-01T10%3A00%3A00Z",
    ]);
    assert.deepEqual(
      ids((await read(source, "things", { since: { column: "id", value: "3" } })).rows),
      [3, 4],
    );
  });

  it("retries when the server is busy or fails, and follows redirects on the same server", async (t) => {
    let requests = 0;
    const { source, read } = await startApi(t, (url, response, request) => {
      requests += 1;
      response.setHeader("Retry-After", requests % 2 ? "0" : new Date(0).toUTCString());
      if (requests === 1) response.writeHead(429).end();
      else if (requests === 2) response.writeHead(503).end();
      else if (requests === 3) request.socket.destroy();
      else if (url.pathname === "/v1/things") response.writeHead(307, { Location: "/v1/moved" }).end();
      return url.pathname === "/v1/moved" ? numbered(1, 3) : undefined;
    });
    assert.deepEqual(ids((await read(source, "things")).rows), [1, 2, 3]);
  });

  it("errors say what is wrong", async (t) => {
    const { source, url, context } = await startApi(
      t,
      (url, response) => {
        response.setHeader("Retry-After", "0");
        switch (url.pathname.slice(4)) {
          case "broken":
            return response.writeHead(500).end();
          case "closed":
            return response.writeHead(401).end("token xyz");
          case "half":
            return '[{"id": 1}, {"id"';
          case "object":
            return { items: [] };
          case "away":
            return response.writeHead(302, { Location: "http://127.0.0.2:9/steal" }).end();
          case "same":
            return numbered(1, 2);
          case "slow":
            return undefined;
          default:
            return response.writeHead(404).end();
        }
      },
      { retries: 1 },
    );
    const at = url.slice(0, -1);
    assert.deepEqual(
      (await source.check(["broken", "closed", "half", "object", "away", "none", "same"])).map(
        ({ sentence }) => sentence,
      ),
      [
        `can reach ${at}`,
        `${at}/broken responds with 500 Internal Server Error.`,
        `${at}/closed responds with 401 Unauthorized: authentication is missing or wrong.`,
        `${at}/half does not respond with JSON.`,
        `The response of ${at}/object has no list of records. Set connection.config.records_path to its location.`,
        `${at}/away links to another server (http://127.0.0.2:9), which is not allowed because it would receive the headers.`,
        `${at}/none responds with 404 Not Found: there is nothing at this address.`,
        `can read same of ${at}`,
      ],
    );
    const impatient = await openRestSource({ url, timeout: 1, retries: 0 }, context);
    await assert.rejects(impatient.describe("slow"), (error: DataProblem) => {
      assert.equal(error.message, `${at}/slow does not respond in time.`);
      return error.retryable;
    });
    const paged = await openRestSource({ url, paging: "page" }, context);
    await assert.rejects(
      paged.describe("same"),
      /returned the same records for two pages\. Is "page" the right page parameter/,
    );
    await assert.rejects(source.describe("broken"), (error: DataProblem) => error.retryable);
    await assert.rejects(source.describe("../other"), /leaves the connection's url/);
    await assert.rejects(source.describe("x?api_key=1"), /a URL must not contain a secret/);
    const unreachable = await openRestSource({ url: "http://127.0.0.1:1", retries: 0 }, context);
    assert.match(
      (await unreachable.check([]))[0]?.sentence ?? "",
      /^http:\/\/127\.0\.0\.1:1 cannot be reached: .*/,
    );
    await assert.rejects(
      openRestSource({ url: "ftp://x", paging: { type: "cursor" } }, context),
      (error: DataProblem) => {
        assert.match(error.message, /url: expected a URL.*next_path: it is required/);
        return true;
      },
    );
  });

  it("an aborted read stops, and an error on a later page fails the read", async (t) => {
    let pages = 0;
    const controller = new AbortController();
    const { source, read } = await startApi(
      t,
      (url, response) => {
        const page = Number(url.searchParams.get("page"));
        pages = Math.max(pages, page);
        if (url.pathname.endsWith("half") && page > 7) return response.writeHead(400).end();
        if (page === 50) controller.abort(new Error("cancelled by the test"));
        return numbered(page * 1000, 300);
      },
      { paging: "page" },
    );
    await assert.rejects(read(source, "half"), /half responds with 400 Bad Request/);
    await assert.rejects(read(source, "endless", { signal: controller.signal }), /cancelled by the test/);
    assert.ok(pages < 1000);
  });

  describe("with OAuth client credentials", () => {
    const secret = "the client's secret: 50 % & more";
    const credentials = { type: "client_credentials", client_id: "lakehelm", client_secret: secret };

    /** An API that numbers its tokens, and accepts those from number `valid` on. */
    async function startProtectedApi(t: TestContext, auth: object = {}, config: object = {}) {
      const state = { issued: 0, valid: 1, forms: [] as string[], basics: [] as (string | undefined)[] };
      const handle: RestApiHandler = async (url, response, request) => {
        if (url.pathname === "/v1/token") {
          state.forms.push(Buffer.concat(await Array.fromAsync(request)).toString());
          state.basics.push(request.headers.authorization);
          state.issued += 1;
          return { access_token: `token-${state.issued}`, token_type: "Bearer", expires_in: 3600 };
        }
        const [, number] = /^Bearer token-(\d+)$/.exec(request.headers.authorization ?? "") ?? [];
        if (!(Number(number) >= state.valid)) return response.writeHead(401).end();
        const page = Number(url.searchParams.get("page"));
        return page <= 5 ? numbered(page * 10, 2) : [];
      };
      const api = await startApi(t, handle);
      const all = { ...credentials, token_url: `${api.url}token`, ...auth };
      const source = await openRestSource(
        { url: api.url, paging: "page", retries: 0, auth: all, ...config },
        api.context,
      );
      return { ...api, source, state };
    }

    it("gets one token for all pages, and another when the API refuses it", async (t) => {
      const { source, read, state } = await startProtectedApi(t, { scope: "orders:read" });
      const { columns } = await source.describe("orders");
      assert.equal(columns.length, 1);
      assert.deepEqual(
        [state.issued, state.forms],
        [1, ["grant_type=client_credentials&scope=orders%3Aread"]],
      );
      const [, encoded = ""] = state.basics[0]?.split(" ") ?? [];
      const sent = new URLSearchParams(Buffer.from(encoded, "base64").toString().replace(":", "="));
      assert.equal(sent.get("lakehelm"), secret);
      state.valid = 2;
      await source.describe("orders");
      assert.equal(state.issued, 2);
      state.valid = 3;
      assert.equal((await read(source, "orders")).rows.length, 10);
    });

    it("sends the client's id and secret in the body if asked, and gives up after a second refusal", async (t) => {
      const { source, state } = await startProtectedApi(t, {
        client_authentication: "body",
        audience: "shop",
      });
      state.valid = 100;
      await assert.rejects(source.describe("orders"), (error: DataProblem) => {
        assert.match(
          error.message,
          /orders responds with 401 Unauthorized: authentication is missing or wrong/,
        );
        assert.doesNotMatch(error.message, /token-|secret/);
        return true;
      });
      assert.equal(state.issued, 2);
      const form = new URLSearchParams(state.forms[0]);
      assert.deepEqual([form.get("client_secret"), form.get("audience")], [secret, "shop"]);
      assert.equal(state.basics[0], undefined);
    });

    it("says what is wrong with the token's address, the answer or the settings", async (t) => {
      const { url, context, source } = await startProtectedApi(t, {}, { headers: { "X-Team": "data" } });
      assert.equal(
        (await source.check(["orders"])).every(({ ok }) => ok),
        true,
      );
      const failing = async (auth: object, more: object = {}) => {
        const config = {
          url,
          retries: 0,
          auth: { ...credentials, token_url: `${url}token`, ...auth },
          ...more,
        };
        return openRestSource(config, context).then((one) => one.describe("orders"));
      };
      await assert.rejects(failing({ token_url: `${url}nothing` }), /nothing responds with 401/);
      await assert.rejects(
        failing({ token_url: "http://127.0.0.1:1/token" }),
        /127\.0\.0\.1:1\/token cannot be reached/,
      );
      await assert.rejects(failing({ client_id: undefined }), /auth\.client_id/);
      await assert.rejects(failing({ secret: "x" }), /auth: "secret" is not a setting/);
      await assert.rejects(failing({ type: "password" }), /is not one of client_credentials/);
      await assert.rejects(failing({}, { headers: { authorization: "x" } }), /headers must not have one/);
    });
  });

  it("sends no more requests in a second than it is allowed to", async (t) => {
    const at: number[] = [];
    const { source } = await startApi(
      t,
      (url) => {
        at.push(performance.now());
        return Number(url.searchParams.get("page")) < 4
          ? numbered(Number(url.searchParams.get("page")), 1)
          : [];
      },
      { paging: "page", requests_per_second: 20 },
    );
    // On a busy machine the first request may arrive late, and no request is sent before this.
    const began = performance.now();
    await source.describe("orders");
    assert.equal(at.length, 4);
    // Timers may fire a moment early.
    assert.ok((at.at(-1) ?? 0) - began >= 3 * 50 - 5, String([began, ...at]));
  });
});
