import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { suite, type TestContext, test } from "node:test";
import { DataProblem } from "../../protocol/problem.ts";
import { SimulatedStop, sharedTargetHarness, type TargetRun } from "../../testing/target-harness.ts";
import { connectionRedaction } from "../../transfer/connection-redaction.ts";
import { openHttpTarget } from "./target.ts";

interface RecordedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: { records: Record<string, unknown>[]; [key: string]: unknown };
}

type RequestHandler = (request: RecordedRequest, response: ServerResponse, nth: number) => void;

const acceptAll: RequestHandler = (_, response) => response.writeHead(204).end();

suite("an HTTP endpoint as a target", () => {
  const newHarness = sharedTargetHarness();

  /** Starts a real endpoint. Runs do not wait between attempts; the waits are recorded in `pauses`. */
  async function start(
    t: TestContext,
    handle: RequestHandler = acceptAll,
    config: Record<string, unknown> = {},
  ) {
    const received: RecordedRequest[] = [];
    const pauses: number[] = [];
    const server = createServer(async (incoming: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      const request = { headers: incoming.headers, body: text ? JSON.parse(text) : { records: [] } };
      received.push(request);
      handle(request, response, received.length);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const harness = await newHarness();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in?token=hidden`;
    const connection = { type: "http", config: { url, batch_size: 4, ...config } };
    const open = () =>
      openHttpTarget(connection, harness.context, async (milliseconds) => void pauses.push(milliseconds));
    const write = async (run: TargetRun) => harness.writeTo(await open(), run);
    return { harness, received, pauses, open, write, url, server };
  }

  const ten = "SELECT i::BIGINT AS id, 'n' || i AS name FROM range(1, 11) r(i)";
  const ids = ({ body }: RecordedRequest) => body.records.map(({ id }) => id);

  test("sends batches in the format of generated notebooks, and writes the checkpoint after the last response", async (t) => {
    const { harness, received, open, write } = await start(t, acceptAll, {
      headers: { Authorization: "Bearer s3cret-token" },
    });
    const written = await write({ select: ten, watermark: "9" });
    assert.deepEqual([written.inserted, written.rejected], [10, []]);
    assert.deepEqual(received.map(ids), [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10],
    ]);
    const { records, ...header } = received[0]?.body ?? { records: [] };
    assert.deepEqual(header, {
      connector: "crm",
      dataset: "orders",
      write_strategy: "upsert",
      primary_keys: ["id"],
    });
    assert.deepEqual(records[0], { id: 1, name: "n1" });
    assert.equal(received[0]?.headers.authorization, "Bearer s3cret-token");
    assert.equal(received[0]?.headers["content-type"], "application/json");
    assert.equal(harness.checkpoints.get("stream")?.value, "9");
    const table = await (await open()).table({
      stream: "stream",
      name: "orders",
      columns: [],
      keys: [],
      strategy: "upsert",
    });
    assert.equal((await table.readCheckpoint())?.value, "9");
    assert.equal(await table.existingRows(), undefined);
    assert.equal(table.isWriteOnly, true);
  });

  test("numbers keep all digits, times are ISO 8601, binary values are base64", async (t) => {
    const texts: string[] = [];
    const { write, server } = await start(t);
    server.prependListener("request", (request: IncomingMessage) =>
      request.on("data", (chunk) => texts.push(String(chunk))),
    );
    await write({
      select: `SELECT 9007199254740993 AS id, 12345678901234567890.10::DECIMAL(38,2) AS exact, '2024-02-29 12:00:00+00'::TIMESTAMPTZ AS at,
        '\\x00\\xFF'::BLOB AS bytes, [1, 2] AS list, NULL AS nothing, '' AS empty, '{"a": 1.10}'::JSON AS json`,
    });
    assert.match(
      texts.join(""),
      /"records":\[\{"id": 9007199254740993, "exact": 12345678901234567890\.10, "at": "2024-02-29T12:00:00\.000000Z", "bytes": "AP8=", "list": \[1,2\], "nothing": null, "empty": "", "json": \{"a": 1\.10\}\}\]/,
    );
  });

  test("retries temporary errors with the same key, and waits as Retry-After says", async (t) => {
    const replies: RequestHandler = (_, response, nth) => {
      if (nth === 1) response.writeHead(503).end();
      else if (nth === 2) response.writeHead(429, { "Retry-After": "17" }).end();
      else if (nth === 3) response.destroy();
      else response.writeHead(200).end("{}");
    };
    const { received, pauses, write } = await start(t, replies);
    assert.equal((await write({ select: `${ten} LIMIT 2` })).inserted, 2);
    assert.deepEqual(pauses, [2000, 17_000, 8000]);
    const keys = new Set(received.map(({ headers }) => headers["idempotency-key"]));
    assert.equal(received.length, 4);
    assert.equal(keys.size, 1);
  });

  test("finds refused rows and rejects them with the response", async (t) => {
    const refuseSix: RequestHandler = (request, response) =>
      ids(request).includes(6)
        ? response
            .writeHead(422, { "Content-Type": "application/json" })
            .end('{"error": "six is not a number"}')
        : response.writeHead(200).end();
    const { harness, write } = await start(t, refuseSix);
    const written = await write({ select: ten });
    assert.equal(written.inserted, 9);
    assert.deepEqual(written.rejected, [
      {
        reason: '422 Unprocessable Entity: {"error": "six is not a number"}',
        cause: "the endpoint refuses it with status 422",
        row: { id: 6, name: "n6" },
      },
    ]);
    assert.deepEqual(harness.rejects, written.rejected);
  });

  test("a 401 is a permanent error without the secret; no response is a retryable error; redirects are not followed", async (t) => {
    const echoHeader: RequestHandler = (request, response) =>
      response.writeHead(401).end(`no: ${request.headers.authorization}`);
    const config = { headers: { Authorization: "Bearer s3cret-token" } };
    const { harness, write, pauses } = await start(t, echoHeader, config);
    const { outcome } = connectionRedaction({ type: "http", config });
    await assert.rejects(outcome(write({ select: ten })), (error) => {
      assert.ok(error instanceof DataProblem && !error.retryable);
      assert.doesNotMatch(error.message, /s3cret|no: /);
      assert.match(
        error.message,
        /^http:\/\/127\.0\.0\.1:\d+\/in: 401 Unauthorized\. The answer is not shown/,
      );
      return true;
    });
    assert.equal(harness.checkpoints.size, 0);
    assert.deepEqual(pauses, []);
    const unreachable = await start(t, (_, response) => response.destroy());
    await assert.rejects(
      unreachable.write({ select: ten }),
      (error) => error instanceof DataProblem && error.retryable,
    );
    assert.deepEqual(unreachable.pauses, [2000, 4000, 8000, 16_000, 32_000]);
    const redirecting = await start(t, (_, response) =>
      response.writeHead(302, { Location: "http://example.org" }).end(),
    );
    await assert.rejects(redirecting.write({ select: ten }), /302 Found/);
  });

  test("after a failure at any crash point, the next run sends the same batches with the same keys", async (t) => {
    const { harness, received, write } = await start(t);
    for (const failAt of ["staged", "written"]) {
      await assert.rejects(write({ select: ten, strategy: "append", failAt }), SimulatedStop);
      assert.equal(harness.checkpoints.size, 0);
    }
    await write({ select: `${ten} ORDER BY id DESC`, strategy: "append" });
    const keys = received.map(({ headers }) => headers["idempotency-key"]);
    assert.equal(keys.length, 6);
    assert.deepEqual(keys.slice(0, 3), keys.slice(3));
    assert.equal(new Set(keys).size, 3);
  });

  test("unsupported operations and invalid settings are reported", async (t) => {
    const { open, write, url } = await start(t);
    await assert.rejects(write({ select: ten, strategy: "replace" }), /cannot be replaced in one step/);
    await assert.rejects(write({ select: ten, deletedKeys: "SELECT 1 AS id" }), /cannot delete rows/);
    const [endpoint, batches] = await (await open()).check(["orders"]);
    assert.match(endpoint?.sentence ?? "", /^http:\/\/127\.0\.0\.1:\d+\/in responds to OPTIONS with 204/);
    assert.match(batches?.sentence ?? "", /batches of 4 rows/);
    const { context } = await newHarness();
    const wrong = (config: Record<string, unknown>) => openHttpTarget({ type: "http", config }, context);
    await assert.rejects(wrong({}), /target_config\.url: it is required/);
    await assert.rejects(wrong({ url: "ftp://x" }), /expected an http or https URL/);
    await assert.rejects(wrong({ url, headers: { Host: "x" } }), /"Host" is set by the connector itself/);
    await assert.rejects(wrong({ url, batchsize: 5 }), /Did you mean "batch_size"/);
  });
});
