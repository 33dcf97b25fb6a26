import assert from "node:assert/strict";
import { test } from "node:test";
import type { Config } from "@lakehelm/contract/connections";
import { TargetHarness } from "../testing/target-harness.ts";

const wrong = { map: "not expected here" };
/** Fields that a caller may write. Each kind of target has some of them. */
const fields = [
  ...["host", "port", "database", "user", "password", "schema", "options", "path", "url", "headers"],
  ...["method", "batch_size", "region", "endpoint", "access_key_id", "secret_access_key", "path_style"],
];
const right: Config = {
  host: "127.0.0.1",
  port: 1,
  database: "shop",
  user: "ada",
  url: "http://127.0.0.1:1",
};
const configs: readonly Config[] = [
  {},
  ...fields.map((name) => ({ ...right, path: "/none/x.db", [name]: wrong })),
  ...fields.map((name) => ({ ...right, path: "s3://bucket/x", [name]: wrong })),
  { ...right, options: { sslmode: "x", sslMode: "x" } },
  { ...right, hots: "x", pasword: "x", pth: "x", ulr: "x" },
];

test("targets of every kind name the fields of target_config, which are those that the caller has written", async (t) => {
  const cleanups: (() => Promise<void>)[] = [];
  t.after(() => Promise.all(cleanups.map((cleanup) => cleanup())));
  const harness = await TargetHarness.start(cleanups);
  const messageOf = (type: string, config: Config): Promise<string> =>
    harness
      .with({ type, config }, async (target) => JSON.stringify(await target.check([])))
      .catch((error: Error) => error.message);
  const types = /Available types: (.*)\.$/.exec(await messageOf("none", {}))?.[1]?.split(", ") ?? [];
  assert.ok(types.length >= 8, types.join());
  for (const type of types) {
    assert.match(await messageOf(type, {}), /target_config\.\w+: it is required/, type);
    for (const config of configs)
      assert.doesNotMatch(
        await messageOf(type, config),
        /connection\.config/,
        `${type} ${JSON.stringify(config)}`,
      );
  }
});
