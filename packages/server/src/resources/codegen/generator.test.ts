import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { CodegenResponse } from "@lakehelm/contract";
import { createCodeGenerator } from "./generator.ts";
import type { ThreadRequest } from "./thread-messages.ts";

const context = {
  environment: "local",
  mode: "development",
  host: null,
  catalog: "main",
  schema: "default",
  otherCatalog: "main",
  secretScope: "lakehelm",
  runtime: "databricks",
  timezone: "UTC",
  git: null,
  runAs: null,
  notificationEmail: null,
  ownerGroup: null,
} as const;

const change = (table: string): ThreadRequest => ({
  generator: "generateAlterMetadata",
  bytes: Buffer.from(
    JSON.stringify({
      catalog_name: "a",
      schema_name: "b",
      table_name: table,
      change: { table_description: "Some table" },
    }),
  ),
  contentType: "application/json",
  context,
});

suite("the generator's thread", () => {
  const generator = createCodeGenerator(1500);
  after(() => generator.close());
  const generate = async (request: ThreadRequest, describe = async (): Promise<undefined> => undefined) => {
    const result = await generator.generate(request, describe);
    assert.ok("text" in result, JSON.stringify(result));
    return JSON.parse(result.text) as CodegenResponse;
  };

  test("a request that times out is stopped, and a new thread handles the queued requests", async () => {
    const stuck = generate(change("stuck"), () => new Promise(() => {}));
    const queued = generate(change("queued"));
    const { status, errors } = await stuck;
    assert.equal(status, "error");
    assert.match(errors.join(), /took longer than 1\.5 seconds/);
    assert.equal((await queued).status, "success");
  });

  test("a failed catalog lookup fails only its own request", async () => {
    const failing = generator.generate(change("failing"), async () => {
      throw new Error("the catalog is unavailable");
    });
    const next = generate(change("next"));
    await assert.rejects(failing, /the catalog is unavailable/);
    assert.equal((await next).status, "success");
  });

  test("without a generation context the body is only checked", async () => {
    const { context: _, ...request } = change("t");
    assert.deepEqual(await generator.generate({ ...request, context: undefined }, async () => undefined), {
      valid: true,
    });
  });
});
