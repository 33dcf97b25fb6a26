import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { choiceFor, datasetOf, targetName } from "../src/pages/connectors/wizard/choices.ts";
import {
  fieldsFor,
  maskedConfig,
  missingFields,
  sentConfig,
  textAt,
  unmaskedConfig,
  withText,
} from "../src/pages/connectors/wizard/config.ts";
import { connectorKinds } from "../src/pages/connectors/wizard/kinds.ts";
import { choiceOf, cronOf, cronSentence } from "../src/pages/connectors/wizard/schedules.ts";
import { inUpdateOrder } from "../src/pages/connectors/wizard/update-order.ts";

test("a table is written under the last part of its name", () => {
  for (const [source, target] of [
    ["public.orders", "orders"],
    ["in/2026/Orders.csv", "orders"],
    ["orders-new.jsonl.gz", "orders_new"],
    ["orders", "orders"],
    ["…", "_"],
  ] as const)
    assert.equal(targetName(source), target);
});

test("a table with a key is read by its best watermark, one without is read whole", () => {
  const offered = { name: "public.orders", watermark_candidates: ["updated_at"] };
  const keyed = choiceFor({ ...offered, primary_keys: ["id", "day"] }, []);
  assert.deepEqual(datasetOf("public.orders", keyed), {
    source_dataset: "public.orders",
    target_name: "orders",
    primary_keys: ["id", "day"],
    watermark_column: "updated_at",
  });
  const plain = choiceFor({ ...offered, primary_keys: [] }, []);
  assert.deepEqual(datasetOf("public.orders", plain), {
    source_dataset: "public.orders",
    target_name: "orders",
    primary_keys: null,
    watermark_column: null,
  });
});

test("targets are exchanged and handed on without two equal ones at any moment", () => {
  const stored = ["a", "b", "c", "d"].map((name) => ({ id: name, target_name: name }));
  const steps = (wanted: Record<string, string>) => {
    const updates = Object.entries(wanted).map(([id, target_name]) => ({ id, body: { target_name } }));
    const targets = new Map(stored.map(({ id, target_name }) => [id, target_name]));
    const ordered = inUpdateOrder(stored, updates);
    for (const { id, body } of ordered) {
      assert.ok(![...targets].some(([other, target]) => other !== id && target === body.target_name));
      targets.set(id, body.target_name);
    }
    for (const [id, target] of Object.entries(wanted)) assert.equal(targets.get(id), target);
    return ordered.map(({ id, body }) => `${id} ${body.target_name}`);
  };
  assert.deepEqual(steps({ a: "b", b: "a" }), ["a b_1", "b a", "a b"]);
  assert.deepEqual(steps({ a: "b", b: "c", c: "x" }), ["c x", "b c", "a b"]);
  assert.deepEqual(steps({ a: "b", b: "c", c: "a", d: "b_1" }), ["d b_1", "a b_2", "c a", "b c", "a b"]);
  assert.deepEqual(steps({ a: "a", b: "b" }), ["a a", "b b"]);
  // Two datasets want the same target: the server reports this.
  const same = ["a", "b"].map((id) => ({ id, body: { target_name: "x" } }));
  assert.deepEqual(inUpdateOrder(stored, same), same);
});

test("a schedule in words is a cron expression", () => {
  assert.equal(cronOf("day", "06:05", ""), "5 6 * * *");
  assert.equal(cronOf("weekday", "18:30", ""), "30 18 * * 1-5");
  assert.equal(cronOf("custom", "", " 0 0 1 * * "), "0 0 1 * *");
  assert.equal(cronOf("manual", "06:00", ""), null);
  assert.equal(cronSentence(cronOf("weekday", "6:5", "")), "Every weekday at 06:05.");
  assert.equal(cronSentence(cronOf("manual", "", "")), "");
  const saved = (schedule_cron: string | null, execution_mode: "batch" | "manual" = "batch") =>
    choiceOf({ schedule_cron, execution_mode });
  assert.deepEqual(saved(null, "manual"), { pace: "day", time: "06:00" });
  assert.deepEqual(saved("5 18 * * 1-5"), { pace: "weekday", time: "18:05" });
  assert.equal(saved("*/15 * * * *").pace, "quarter");
  assert.equal(saved("30 6,18 * * 1-5").pace, "custom");
  assert.equal(saved("0 6 * * *", "manual").pace, "manual");
});

const kindOf = (id: string) => {
  const kind = connectorKinds.find((one) => one.id === id);
  assert.ok(kind);
  return kind;
};
const rest = kindOf("rest");
const field = (name: string, label?: string) => {
  const found = rest.fields.find((one) => one.name === name && (label === undefined || one.label === label));
  assert.ok(found);
  return found;
};

test("OAuth and cursors: their fields appear when they are chosen, and only those are sent", () => {
  const labels = (config: object) => fieldsFor(rest, config as never).map(({ label }) => label);
  assert.ok(!labels({}).includes("Token URL"));
  let config = withText({ url: "https://api.example.test" }, field("auth.type"), "client_credentials");
  assert.ok(labels(config).includes("Token URL"));
  assert.ok(!labels(config).includes("Authorization header"));
  assert.deepEqual(
    missingFields(rest, config).map(({ name }) => name),
    ["auth.token_url", "auth.client_id", "auth.client_secret"],
  );
  config = withText(config, field("auth.client_id"), " lakehelm ");
  config = withText(config, field("paging.type"), "cursor");
  config = withText(config, field("paging.next_path"), "meta.next");
  config = withText(config, field("page_size"), "100");
  assert.deepEqual(sentConfig(rest, config), {
    url: "https://api.example.test",
    auth: { type: "client_credentials", client_id: "lakehelm" },
    paging: { type: "cursor", next_path: "meta.next" },
    page_size: 100,
  });
  config = withText(config, field("paging.type"), "page");
  config = withText(config, field("auth.type"), "none");
  assert.deepEqual(sentConfig(rest, { ...config, timeout: 30 }), {
    url: "https://api.example.test",
    paging: { type: "page" },
    page_size: 100,
    timeout: 30,
  });
  assert.equal(textAt({ paging: "link" }, "paging.type"), "link");
});

test("the YAML view hides a secret that was typed, and keeps it", () => {
  const config = {
    auth: { client_id: "a", client_secret: "hush" },
    headers: { Authorization: "{{secrets/a/b}}" },
  };
  const masked = maskedConfig(rest, config);
  assert.deepEqual(masked, { ...config, auth: { client_id: "a", client_secret: "********" } });
  assert.deepEqual(unmaskedConfig(rest, { ...masked, retries: 2 }, config), { ...config, retries: 2 });
});

test("every documented setting of a connection is in its form, or named beside the YAML view", () => {
  const documents: Readonly<Record<string, readonly string[]>> = {
    postgresql: ["postgresql", "postgresql-log"],
    "to-postgresql": ["postgresql"],
    mysql: ["mysql"],
    "to-mysql": ["mysql"],
    files: ["files", "s3"],
    sqlite: ["sqlite"],
    duckdb: ["duckdb"],
    rest: ["rest"],
    "to-http": ["http"],
    "to-csv": ["file-targets", "s3"],
    "to-jsonl": ["file-targets", "s3"],
    "to-parquet": ["file-targets", "s3"],
    "to-sqlite": ["sqlite"],
    "to-duckdb": ["duckdb"],
  };
  for (const kind of connectorKinds) {
    const known = new Set([...kind.fields.map(({ name }) => name.split(".")[0]), ...kind.more]);
    const names = (documents[kind.id] ?? assert.fail(`${kind.id} has no document`)).flatMap(settingsIn);
    assert.ok(names.length > 0);
    assert.deepEqual(
      names.filter((name) => !known.has(name)),
      [],
      kind.id,
    );
  }
});

/** The names in the first column of the tables of settings of a document. */
function settingsIn(document: string): readonly string[] {
  const text = readFileSync(
    new URL(`../../../docs/reference/connectors/${document}.md`, import.meta.url),
    "utf8",
  );
  const tables = text.split("\n\n").filter((part) => /^\| `(connection\.config|target_config)`/.test(part));
  return tables.flatMap((table) =>
    table
      .split("\n")
      .slice(2)
      .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name ?? "")),
  );
}
