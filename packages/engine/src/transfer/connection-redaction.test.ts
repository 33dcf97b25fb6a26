import assert from "node:assert/strict";
import { test } from "node:test";
import { DataProblem } from "../protocol/problem.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { withRedaction } from "./connection-redaction.ts";

test("results, errors, log lines and progress do not show the credentials of the connection", async () => {
  const sent: unknown[] = [];
  const context = {
    log: (level: string, text: string) => void sent.push([level, text]),
    progress: (values: object) => void sent.push(values),
  } as unknown as RequestContext;
  const config = { user: "ada", password: "hunter-two", headers: { Cookie: "s3cret-cookie" } };
  const request = { connection: { type: "postgresql", config } };
  const handle = withRedaction(async (_: typeof request, { log, progress }) => {
    log("info", "as ada with hunter-two");
    progress({ "hunter-two": ["HUNTER-TWO", 5] });
    return { rows: [{ note: Buffer.from("ada:hunter-two").toString("base64") }], read: 5 };
  });
  const { rows, read } = await handle(request, context);
  assert.match(rows[0]?.note ?? "", /^.{0,6}\*{8}.{0,3}$/);
  assert.equal(read, 5);
  assert.deepEqual(sent, [["info", "as ada with ********"], { "********": ["********", 5] }]);
  const fail = withRedaction(async () => {
    throw new DataProblem("no hunter-two", { retryable: true, cause: new Error("hunter-two") });
  });
  await assert.rejects(fail(request, context), (error) => {
    assert.ok(error instanceof DataProblem && error.retryable);
    assert.equal(error.message, "no ********");
    assert.equal((error.cause as Error).message, "********");
    return true;
  });
});

test("errors do not show the token of a cluster and the credentials of its bucket", async () => {
  const staging = { path: "s3://rows", access_key_id: "AKIA7Q2mXv7L", secret_access_key: "wJalr-Xk7MD" };
  const cluster = { host: "spark.example.test", port: 15_002, tls: true, token: "dapi-9fQ2mXv7", staging };
  const fail = withRedaction(async () => {
    throw new DataProblem("s3://rows: AKIA7Q2mXv7L, wJalr-Xk7MD, dapi-9fQ2mXv7");
  });
  const request = { connection: { type: "csv", config: { path: "/data" } }, cluster };
  await assert.rejects(fail(request, {} as RequestContext), {
    message: "s3://rows: ********, ********, ********",
  });
});
