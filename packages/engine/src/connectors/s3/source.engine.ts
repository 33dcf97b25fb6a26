import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { serveHttp } from "@lakehelm/testing/http-server";
import { onlyNightly } from "@lakehelm/testing/nightly";
import { defaultLimits } from "../../protocol/limits.ts";
import { withDuckdb } from "../../testing/duckdb.ts";
import { startS3, type TestS3, withoutS3 } from "../../testing/s3-server.ts";
import { openSourceHarness } from "../../testing/source-harness.ts";
import { startTransferHarness } from "../../testing/transfer-harness.ts";
import { checkConnection, discoverDatasets } from "../../transfer/connection-check.ts";
import { ingest } from "../../transfer/ingest.ts";
import { preview } from "../../transfer/preview.ts";
import { listRejects } from "../../transfer/rejects.ts";
import { memoryProblem, OutOfMemory } from "../../warehouse/memory-problem.ts";
import { literal } from "../../warehouse/names.ts";
import { openFilesSource } from "../files/source.ts";

const ends: (() => Promise<void>)[] = [];
let s3: TestS3 | undefined;
let buckets = 0;

before(async () => {
  s3 = await startS3((end) => ends.push(end));
});
after(async () => {
  for (const end of ends) await end();
});

/** A new bucket with these objects. */
async function given(t: TestContext, objects: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>) {
  if (!s3) return t.skip(withoutS3);
  const bucket = `shop-${++buckets}`;
  const server = s3;
  await server.createBucket(bucket);
  const put = (key: string, content: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>) =>
    server.put(`${bucket}/${key.split("/").map(encodeURIComponent).join("/")}`, content, headers);
  for (const [key, content] of Object.entries(objects)) await put(key, content);
  const config = { ...server.config, path: `s3://${bucket}/drop` };
  return { server, bucket, put, config };
}

suite("objects as a source", () => {
  test("CSV, also compressed, with partitions, declared types, and rejects with key and line", async (t) => {
    const found = await given(t, {
      "drop/orders/year=2026/month=01/a b+c%.csv": "id,amount,at\n1,1.50,31.01.2026\n2,x,01.02.2026\n",
      "drop/orders/year=2026/month=02/b.csv.gz": gzipSync("id,amount,at\n3,2.25,28.02.2026\n4\n"),
      "drop/orders/_unfinished/c.csv": "id\nx\n",
      "drop/orders/notes.md": "no table",
      "elsewhere.csv": "id\n1\n",
    });
    if (!found) return;
    const { context, read } = await openSourceHarness(t);
    const config = {
      ...found.config,
      format: "csv",
      columns: { amount: "decimal(12,2)", at: "date" },
      options: { dateFormat: "dd.MM.yyyy" },
    };
    const source = await openFilesSource(config, context);
    const { rows, types, rejects } = await read(source, "orders");
    assert.deepEqual(types, ["BIGINT", "DECIMAL(12,2)", "DATE", "BIGINT", "BIGINT"]);
    assert.deepEqual(rows, [
      ["1", "1.50", "2026-01-31", "2026", "1"],
      ["3", "2.25", "2026-02-28", "2026", "2"],
    ]);
    assert.equal(rejects.length, 2);
    const reasons = rejects.map(({ reason }) => reason).join("\n");
    assert.match(reasons, /line 3 of orders\/year=2026\/month=01\/a b\+c%\.csv: the column "amount"/);
    assert.ok(reasons.includes("line 3 of orders/year=2026/month=02/b.csv.gz: "));
    for (const [dataset, count] of [
      ["orders/year=2026/month=02/b.csv.gz", 1],
      ["orders/year*/**/*.csv", 1],
      ["orders/year=2026/month=0[12]/*", 2],
      [".", 2],
    ] as const) {
      assert.equal((await read(source, dataset)).rows.length, count, dataset);
    }
    await assert.rejects(
      source.describe("order"),
      /There is no file for "order" in s3:.*drop\. Did you mean orders\?/,
    );
    await assert.rejects(source.describe("../elsewhere.csv"), /leaves the connection's path/);
  });

  test("JSON lines, lists and Parquet, described from parts of large objects", async (t) => {
    const lines = Array.from({ length: 100_000 }, (_, n) => JSON.stringify({ id: n, name: `name ${n}` }));
    const found = await given(t, {
      "drop/lines.jsonl": lines.join("\n"),
      "drop/list.json": `[${lines.join(",\n")}]`,
      "drop/lines.jsonl.gz": gzipSync(lines.join("\n")),
    });
    if (!found) return;
    const { context, read, folder } = await openSourceHarness(t);
    const json = await openFilesSource({ ...found.config, format: "json" }, context);
    for (const dataset of ["lines.jsonl", "list.json", "lines.jsonl.gz"]) {
      const { rows, types } = await read(json, dataset);
      assert.deepEqual([rows.length, types], [100_000, ["BIGINT", "VARCHAR"]], dataset);
    }
    const { connection, close } = await context.openExternal({ folders: [folder] });
    const path = `${folder}/p.parquet`;
    await connection
      .run(
        `COPY (SELECT i::INTEGER AS id, md5(i::VARCHAR) AS name FROM range(100000) t(i)) TO '${path}' (FORMAT parquet)`,
      )
      .finally(close);
    await found.put("drop/items/p.parquet", new Uint8Array(await readFile(path)));
    const parquet = await openFilesSource({ ...found.config, format: "parquet" }, context);
    const { rows, types } = await read(parquet, "items");
    assert.deepEqual([rows.length, types], [100_000, ["INTEGER", "VARCHAR"]]);
    assert.deepEqual(
      (await parquet.discover()).map(({ name, columns }) => [name, columns.length]),
      [["items", 2]],
    );
  });

  test("a run reads objects that are new or changed, by key, size and ETag", async (t) => {
    const found = await given(t, { "drop/orders/a.csv": "id,note\n1,a\n2,b\n" });
    if (!found) return;
    const { context, request, rows, warehouse } = await startTransferHarness(t);
    const connection = { type: "files", config: { ...found.config, format: "csv" } };
    const run = request({ source: "orders", watermark: "_file_modified" }, { connection });
    assert.equal((await ingest(run, context)).inserted, 2);
    assert.equal((await ingest(run, context)).read, 0);
    await found.put("drop/orders/b.csv", "id,note,extra\n3,c,1\nx,d,2\n");
    await found.put("drop/orders/a.csv", "id,note\n1,z\n2,b\n");
    assert.equal((await preview(run, context)).insert, 1);
    const second = await ingest(run, context);
    assert.deepEqual([second.read, second.inserted, second.rejected], [4, 1, 1]);
    assert.deepEqual(await rows('SELECT id, note, extra FROM _main."default".orders ORDER BY id'), [
      ["1", "z", null],
      ["2", "b", null],
      ["3", "c", "1"],
    ]);
    const { rejects } = await listRejects(warehouse, ["orders"], { skip: 0, limit: 10 });
    assert.match(rejects[0]?.reason ?? "", /^line 3 of orders\/b\.csv: the column "id"/);
    // The same content under the same key is not new.
    await found.put("drop/orders/a.csv", "id,note\n1,z\n2,b\n");
    assert.equal((await ingest(run, context)).read, 0);
    const shared = { scope: run.scope, direction: "in", connection } as const;
    assert.deepEqual(
      (await checkConnection({ ...shared, connector: "shop", datasets: [run.dataset] }, context)).map(
        ({ sentence }) => sentence,
      ),
      [`can open s3://${found.bucket}/drop`, `can read orders in s3://${found.bucket}/drop`],
    );
    assert.deepEqual(
      (await discoverDatasets(shared, context)).map(({ name }) => name),
      ["orders"],
    );
  });

  test("more objects than a page or a group has", onlyNightly, async (t) => {
    const found = await given(t, { "drop/many/first.csv": "id,late\n7,x\n" });
    if (!found) return;
    const folder = join(found.server.folder, found.bucket, "drop/many");
    for (let n = 0; n < 1_050; n++) await writeFile(join(folder, `${n}.csv`), `id\n${n}\n`);
    const { context, read } = await openSourceHarness(t);
    const source = await openFilesSource({ ...found.config, format: "csv" }, context);
    const { rows, types } = await read(source, "many");
    assert.deepEqual([rows.length, types], [1_051, ["BIGINT", "VARCHAR"]]);
  });

  test("an import that needs more temporary space than allowed says which setting, in plain words", async (t) => {
    const found = await given(t, {});
    if (!found) return;
    const { context, request, folder, warehouse } = await startTransferHarness(t, {
      memoryMb: 128,
      limits: { ...defaultLimits, spillMb: 1 },
    });
    const file = join(folder, "orders.parquet");
    await withDuckdb((duck) =>
      duck.run(
        `COPY (SELECT i AS id, repeat(md5(i::VARCHAR), 8) AS name FROM range(800000) r(i)) TO ${literal(file)} (FORMAT parquet)`,
      ),
    );
    await found.put("drop/orders.parquet", await readFile(file));
    const connection = { type: "files", config: { ...found.config, format: "parquet" } };
    const run = ingest(request({ source: "orders.parquet", watermark: null }, { connection }), context);
    const error = await run.catch((failure: unknown) => failure);
    const subject = error instanceof OutOfMemory ? error.subject : "";
    assert.equal(
      memoryProblem(error, subject, warehouse.memoryMb),
      "The transfer of orders.parquet needs more temporary disk space than its limit. PLATFORM_WAREHOUSE_SPILL_MB sets the limit.",
    );
  });

  test("errors say what is wrong and what to do, and never show a key", async (t) => {
    const found = await given(t, { "drop/a.csv": "id\n1\n" });
    if (!found) return;
    const { context } = await startTransferHarness(t);
    const checkOf = async (change: object) => {
      const connection = { type: "files", config: { ...found.config, format: "csv", ...change } };
      const scope = { environment: "test", catalog: "main", schema: "default" };
      const findings = await checkConnection(
        { scope, connector: "shop", direction: "in", connection, datasets: [] },
        context,
      );
      const sentences = findings.map(({ sentence }) => sentence).join(" ");
      for (const secret of ["AKIAEXAMPLEKEY", "s3cret/Example"])
        assert.ok(!sentences.includes(secret), sentences);
      return sentences;
    };
    assert.match(await checkOf({}), /^can open s3:/);
    assert.match(await checkOf({ secret_access_key: "wrong-secret-of-the-key" }), /the secret key is wrong/);
    assert.match(
      await checkOf({ access_key_id: "AKIAWRONGKEY0000001" }),
      /No user exists with the provided access key/,
    );
    assert.match(
      await checkOf({ path: "s3://no-such-bucket-here" }),
      /there is no bucket no-such-bucket-here/,
    );
    assert.match(
      await checkOf({ secret_access_key: undefined }),
      /access_key_id and secret_access_key belong together/,
    );
    assert.match(
      await checkOf({ endpoint: undefined }),
      /region: it is required, unless there is an endpoint/,
    );
    assert.match(await checkOf({ endpoint: "http://169.254.169.254" }), /no setting allows/);
    assert.match(await checkOf({ endpoint: "ftp://x" }), /endpoint: expected an http or https URL/);
    assert.match(await checkOf({ path: "s3://shop/x/../y" }), /contains "\." or "\.\." as a folder/);
  });

  for (const [title, status, headers, body, message] of [
    [
      "a redirect",
      301,
      { "x-amz-bucket-region": "eu-west-1" },
      "<Error><Code>PermanentRedirect</Code></Error>",
      /is in the region eu-west-1, not in us-east-1\. Set region to eu-west-1/,
    ],
    ["a redirect elsewhere", 307, { Location: "http://example.test/" }, "", /redirects to another address/],
    [
      "a clock",
      403,
      {},
      "<Error><Code>RequestTimeTooSkewed</Code><Message>x</Message></Error>",
      /the clock of this server differs/,
    ],
    ["no access", 403, {}, "<Error><Code>AccessDenied</Code></Error>", /access is denied/],
    [
      "an unknown key",
      403,
      {},
      "<Error><Code>InvalidAccessKeyId</Code></Error>",
      /the access key is unknown/,
    ],
    [
      "an expired token",
      400,
      {},
      "<Error><Code>ExpiredToken</Code></Error>",
      /the session token has expired/,
    ],
    [
      "another answer",
      418,
      {},
      "<Error><Code>Odd</Code><Message>I am &lt;odd&gt;.</Message></Error>",
      /responds with 418 Odd, I am <odd>\./,
    ],
  ] as const) {
    test(`a server that answers with ${title}`, async (t) => {
      const requests: string[] = [];
      const url = await serveHttp(t, (request, response) => {
        requests.push(request.url ?? "");
        response.writeHead(status, headers).end(body);
      });
      const { context } = await openSourceHarness(t);
      const config = {
        path: "s3://shop",
        format: "csv",
        endpoint: url,
        access_key_id: "AKIAX",
        secret_access_key: "secret-of-the-key",
      };
      const source = await openFilesSource(config, context);
      await assert.rejects(source.describe("a.csv"), message);
      // One request for the object, one for similar names.
      assert.ok(requests.length <= 2, requests.join(" "));
    });
  }

  test("a busy server is asked again, and a broken download is continued", async (t) => {
    const content = `id\n${"1\n".repeat(1_000)}`;
    let listed = 0;
    let read = 0;
    const url = await serveHttp(t, (request, response) => {
      assert.match(request.headers.authorization ?? "", /^AWS4-HMAC-SHA256 Credential=AKIAX\//);
      assert.equal(request.headers["x-amz-security-token"], "token-of-the-session");
      if (request.url?.includes("list-type")) {
        if (++listed === 1)
          return response.writeHead(503, { "Retry-After": "0" }).end("<Error><Code>SlowDown</Code></Error>");
        return response.end(
          `<ListBucketResult><Contents><Key>a.csv</Key><Size>${content.length}</Size><ETag>"1"</ETag><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents></ListBucketResult>`,
        );
      }
      const [, from = "0", to = "0"] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? [];
      const part = content.slice(Number(from), Number(to) + 1);
      response.writeHead(206, { "Content-Length": part.length });
      if (++read === 2) {
        response.write(part.slice(0, 10));
        return setImmediate(() => response.destroy());
      }
      return response.end(part);
    });
    const { context, read: readRows } = await openSourceHarness(t);
    const config = {
      path: "s3://shop",
      format: "csv",
      endpoint: url,
      access_key_id: "AKIAX",
      secret_access_key: "secret-of-the-key",
      session_token: "token-of-the-session",
    };
    const source = await openFilesSource(config, context);
    assert.equal((await readRows(source, "a.csv")).rows.length, 1_000);
    assert.equal(read, 3);
  });
});
