import assert from "node:assert/strict";
import { test } from "node:test";
import { changesOf, definitionOf } from "../src/pages/connectors/definition.ts";

type Connector = Parameters<typeof changesOf>[0];
const dataset = {
  id: "d1",
  source_dataset: "public.orders",
  target_name: "orders",
  primary_keys: ["id"],
  write_strategy: "upsert",
  custom_config: { watermark_column: "updated_at", deletes: "ignore" },
};
const connector = {
  name: "shop",
  target_type: "warehouse",
  target_config: { connection: { type: "postgresql", config: { host: "db", password: "********" } } },
  execution_mode: "batch",
  schedule_cron: "0 6 * * *",
  table_update_config: null,
  file_arrival_config: null,
  policy: { attempts: 3, concurrency: 2 },
  datasets: [dataset, { ...dataset, id: "d2", target_name: "old", custom_config: null }],
} as unknown as Connector;

test("the definition as it is changes nothing", () => {
  assert.deepEqual(changesOf(connector, definitionOf(connector)), {
    connector: undefined,
    removed: [],
    changed: [],
    added: [],
  });
});

test("what is removed is sent as null, also in maps that the server merges; datasets are known by their target", () => {
  const { schedule_cron: _, ...rest } = definitionOf(connector);
  const added = { source_dataset: "public.items", target_name: "items" };
  const kept = {
    source_dataset: "public.orders",
    target_name: "orders",
    primary_keys: ["id"],
    write_strategy: "upsert",
    custom_config: { watermark_column: "changed_at" },
  };
  const {
    connector: body,
    removed,
    changed,
    added: fresh,
  } = changesOf(connector, {
    ...rest,
    policy: { attempts: 5 },
    datasets: [kept, added],
  });
  assert.deepEqual(body, { schedule_cron: null, policy: { attempts: 5, concurrency: null } });
  assert.deepEqual(
    removed.map(({ id }) => id),
    ["d2"],
  );
  assert.deepEqual(changed, [
    { id: "d1", body: { custom_config: { watermark_column: "changed_at", deletes: null } } },
  ]);
  assert.deepEqual(fresh, [added]);
  assert.throws(() => changesOf(connector, { ...rest, datasets: "orders" }), /list of maps/);
});
