import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { CodegenResponse } from "@lakehelm/contract";
import { createCodeGenerator } from "./generator.ts";
import type { Asked } from "./thread-messages.ts";

const place = {
  environment: "local",
  mode: "development",
  host: null,
  catalog: "main",
  schema: "default",
  secretScope: "lakehelm",
  git: null,
  runAs: null,
} as const;

const change = (table: string): Asked => ({
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
  place,
});

suite("the generator's thread", () => {
  const generator = createCodeGenerator(1500);
  after(() => generator.close());
  const ask = async (asked: Asked, describe = async (): Promise<undefined> => undefined) => {
    const answered = await generator.ask(asked, describe);
    assert.ok("text" in answered, JSON.stringify(answered));
    return JSON.parse(answered.text) as CodegenResponse;
  };

  test("a request that takes too long is given up, and those behind it are answered by a new thread", async () => {
    const stuck = ask(change("stuck"), () => new Promise(() => {}));
    const behind = ask(change("behind"));
    const { status, errors } = await stuck;
    assert.equal(status, "error");
    assert.match(errors.join(), /took longer than 1\.5 seconds/);
    assert.equal((await behind).status, "success");
  });

  test("a catalog that fails is the request's failure alone", async () => {
    const failing = generator.ask(change("failing"), async () => {
      throw new Error("the catalog is gone");
    });
    const next = ask(change("next"));
    await assert.rejects(failing, /the catalog is gone/);
    assert.equal((await next).status, "success");
  });

  test("without a place the body is only checked", async () => {
    const { place: _, ...asked } = change("t");
    assert.deepEqual(await generator.ask({ ...asked, place: undefined }, async () => undefined), {
      valid: true,
    });
  });
});
