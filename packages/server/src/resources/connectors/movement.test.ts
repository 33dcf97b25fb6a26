/** The engine's request for a connector, and the problems that prevent a run. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Connector, ConnectorDataset } from "@lakehelm/contract";
import { newDataset } from "./datasets.ts";
import { declaredConnector } from "./document.ts";
import { wayOf } from "./transfer-request.ts";

const by = { actor: "ada", requestId: null, time: "2026-03-01T12:00:00.000Z" };
const scope = { environment: "e1", catalog: "main", schema: "default" };

function connector(
  target_type: string,
  target_config: Connector["target_config"],
  datasets: readonly Partial<ConnectorDataset>[] = [{}],
): Connector {
  const bare = declaredConnector(
    "c1",
    { name: "c", target_type, target_config, execution_mode: "manual", created_by: "ada" },
    by,
  );
  const input = { source_dataset: "orders", target_name: "orders_there" };
  return {
    ...bare,
    datasets: datasets.map((more, at) => ({ ...newDataset(`d${at}`, bare, input, by), ...more })),
  };
}

async function way(of: Connector, personal: readonly string[] = []) {
  const read = await wayOf(of, scope, async () => personal);
  assert.ok("way" in read, "problems" in read ? read.problems.join("\n") : "");
  return read.way;
}

async function problems(of: Connector) {
  const read = await wayOf(of, scope, async () => []);
  return "problems" in read ? read.problems : [];
}

test("out: the target is the other side", async () => {
  const target_config = { host: "db", password: "s3cret" };
  const found = await way(
    connector("postgresql", target_config, [{ primary_keys: ["id"], write_strategy: "upsert" }]),
  );
  assert.equal(found.direction, "out");
  assert.deepEqual(found.connection, { type: "postgresql", config: target_config });
  assert.deepEqual(found.scope, scope);
  assert.deepEqual(found.datasets, [
    {
      id: "d0",
      source: "orders",
      target: "orders_there",
      keys: ["id"],
      strategy: "upsert",
      watermark: null,
      leftOut: [],
      maxRejectShare: 0.05,
      deletes: false,
    },
  ]);
});

suite("in: the warehouse is the target", () => {
  const connection = { name: "shop", type: "sqlite", config: { path: "/data/shop.db" } };

  test("and the connection is the other side", async () => {
    const found = await way(connector("warehouse", { connection }));
    assert.equal(found.direction, "in");
    assert.deepEqual(found.connection, { type: "sqlite", config: connection.config });
    assert.deepEqual(found.scope, scope);
  });

  test("in the catalog and schema that it names", async () => {
    const found = await way(connector("warehouse", { connection, catalog: "shop", schema: "sales" }));
    assert.deepEqual(found.scope, { environment: "e1", catalog: "shop", schema: "sales" });
  });

  test("which needs a connection that can be read", async () => {
    for (const config of [{}, { connection: "sqlite" }, { connection: { type: "sqlite" } }]) {
      assert.match(
        (await problems(connector("warehouse", config)))[0] ?? "",
        /target_config\.connection must say where from/,
      );
    }
    assert.match(
      (await problems(connector("warehouse", { connection, schema: 5 })))[0] ?? "",
      /schema that is not a text/,
    );
  });
});

suite("what the maps of a config say of a dataset", () => {
  const config = { path: "x", primary_keys: { orders: ["id"] }, watermark_columns: { orders: "updated_at" } };

  test("holds where the dataset says nothing", async () => {
    const [dataset] = (await way(connector("sqlite", config))).datasets;
    assert.deepEqual(
      [dataset?.keys, dataset?.strategy, dataset?.watermark],
      [["id"], "upsert", "updated_at"],
    );
  });

  test("and gives way to what it says", async () => {
    const own = { primary_keys: ["a", "b"], custom_config: { watermark_column: "seen_at" } };
    const [dataset] = (await way(connector("sqlite", config, [own]))).datasets;
    assert.deepEqual([dataset?.keys, dataset?.watermark], [["a", "b"], "seen_at"]);
  });
});

suite("personal columns stay behind", () => {
  const suppressed = { custom_config: { pii_suppressed: true, pii_columns: ["phone"] } };

  test("whoever names them: the config, the dataset, or the catalog for what goes out", async () => {
    const out = connector("csv", { path: "x", pii_columns: ["email"] }, [suppressed]);
    assert.deepEqual((await way(out, ["birthday"])).datasets[0]?.leftOut, ["email", "phone", "birthday"]);
    const connection = { type: "sqlite", config: { path: "x", pii_columns: ["email"] } };
    const into = connector("warehouse", { connection }, [suppressed]);
    assert.deepEqual((await way(into, ["birthday"])).datasets[0]?.leftOut, ["email", "phone"]);
  });

  test("only where that is wanted", async () => {
    assert.deepEqual(
      (await way(connector("csv", { pii_columns: ["email"] }), ["email"])).datasets[0]?.leftOut,
      [],
    );
  });

  test("but not a key", async () => {
    const config = { pii_columns: ["id"], primary_keys: { orders: ["id"] } };
    const [problem] = await problems(connector("csv", config, [{ custom_config: { pii_suppressed: true } }]));
    assert.equal(
      problem,
      'The dataset for "orders_there": "id" is a primary key, so it cannot be excluded as personal data.',
    );
  });
});

test("every mistake of every dataset is told", async () => {
  const found = await problems(
    connector("csv", {}, [
      { custom_config: { max_reject_share: 5, deletes: "yes", watermark_colum: "seen_at", owner: "ada" } },
      { target_name: "other", write_strategy: "upsert" },
    ]),
  );
  assert.deepEqual(found, [
    'The dataset for "orders_there": custom_config.max_reject_share must be a number from 0 to 1.',
    'The dataset for "orders_there": custom_config.deletes must be true or false.',
    'The dataset for "orders_there": custom_config: the key "watermark_colum" is not known. Did you mean "watermark_column"?',
    'The dataset for "other": write_strategy "upsert" requires primary_keys: they identify the row to replace.',
  ]);
});

test("a share of rejects and deletions are the dataset's to say", async () => {
  const [dataset] = (
    await way(connector("csv", {}, [{ custom_config: { max_reject_share: 0, deletes: true } }]))
  ).datasets;
  assert.deepEqual([dataset?.maxRejectShare, dataset?.deletes], [0, true]);
});
