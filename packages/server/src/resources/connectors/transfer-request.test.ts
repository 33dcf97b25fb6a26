/** The engine's request for a connector, and the problems that prevent a run. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Connector, ConnectorDataset } from "@lakehelm/contract";
import { newDataset } from "./datasets.ts";
import { declaredConnector } from "./document.ts";
import { connectorTransfer } from "./transfer-request.ts";

const context = { actor: "ada", requestId: null, time: "2026-03-01T12:00:00.000Z" };
const scope = { environment: "e1", catalog: "main", schema: "default" };

function connector(
  target_type: string,
  target_config: Connector["target_config"],
  datasets: readonly Partial<ConnectorDataset>[] = [{}],
): Connector {
  const bare = declaredConnector(
    "c1",
    { name: "c", target_type, target_config, execution_mode: "manual", created_by: "ada" },
    context,
  );
  const input = { source_dataset: "orders", target_name: "orders_there" };
  return {
    ...bare,
    datasets: datasets.map((more, at) => ({ ...newDataset(`d${at}`, bare, input, context), ...more })),
  };
}

async function transferOf(of: Connector, personal: readonly string[] = []) {
  const read = await connectorTransfer(of, scope, async () => personal);
  assert.ok("transfer" in read, "problems" in read ? read.problems.join("\n") : "");
  return read.transfer;
}

async function problemsOf(of: Connector) {
  const read = await connectorTransfer(of, scope, async () => []);
  return "problems" in read ? read.problems : [];
}

test("out: the connection is the connector's target", async () => {
  const target_config = { host: "db", password: "s3cret" };
  const found = await transferOf(
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
      maxDeleteShare: 0.5,
      onMissingColumn: "keep",
    },
  ]);
});

suite("in: the warehouse is the target", () => {
  const connection = { name: "shop", type: "sqlite", config: { path: "/data/shop.db" } };

  test("the connection is the source", async () => {
    const found = await transferOf(connector("warehouse", { connection }));
    assert.equal(found.direction, "in");
    assert.deepEqual(found.connection, { type: "sqlite", config: connection.config });
    assert.deepEqual(found.scope, scope);
  });

  test("target_config can name the catalog and schema", async () => {
    const found = await transferOf(connector("warehouse", { connection, catalog: "shop", schema: "sales" }));
    assert.deepEqual(found.scope, { environment: "e1", catalog: "shop", schema: "sales" });
  });

  test("a missing or malformed connection is a problem", async () => {
    for (const config of [{}, { connection: "sqlite" }, { connection: { type: "sqlite" } }]) {
      assert.match(
        (await problemsOf(connector("warehouse", config)))[0] ?? "",
        /target_config\.connection must name the source/,
      );
    }
    assert.match(
      (await problemsOf(connector("warehouse", { connection, schema: 5 })))[0] ?? "",
      /schema that is not a string/,
    );
  });
});

suite("primary_keys and watermark_columns of a config", () => {
  const config = { path: "x", primary_keys: { orders: ["id"] }, watermark_columns: { orders: "updated_at" } };

  test("apply to a dataset without its own", async () => {
    const [dataset] = (await transferOf(connector("sqlite", config))).datasets;
    assert.deepEqual(
      [dataset?.keys, dataset?.strategy, dataset?.watermark],
      [["id"], "upsert", "updated_at"],
    );
  });

  test("are overridden by the dataset's own", async () => {
    const own = { primary_keys: ["a", "b"], custom_config: { watermark_column: "changed_at" } };
    const [dataset] = (await transferOf(connector("sqlite", config, [own]))).datasets;
    assert.deepEqual([dataset?.keys, dataset?.watermark], [["a", "b"], "changed_at"]);
  });
});

suite("personal columns", () => {
  const suppressed = { custom_config: { pii_suppressed: true, pii_columns: ["phone"] } };

  test("are excluded if the config, the dataset or, for outbound transfers, the catalog names them", async () => {
    const out = connector("csv", { path: "x", pii_columns: ["email"] }, [suppressed]);
    assert.deepEqual((await transferOf(out, ["birthday"])).datasets[0]?.leftOut, [
      "email",
      "phone",
      "birthday",
    ]);
    const connection = { type: "sqlite", config: { path: "x", pii_columns: ["email"] } };
    const into = connector("warehouse", { connection }, [suppressed]);
    assert.deepEqual((await transferOf(into, ["birthday"])).datasets[0]?.leftOut, ["email", "phone"]);
  });

  test("are not excluded unless the dataset suppresses them", async () => {
    assert.deepEqual(
      (await transferOf(connector("csv", { pii_columns: ["email"] }), ["email"])).datasets[0]?.leftOut,
      [],
    );
  });

  test("cannot be primary keys", async () => {
    const config = { pii_columns: ["id"], primary_keys: { orders: ["id"] } };
    const [problem] = await problemsOf(
      connector("csv", config, [{ custom_config: { pii_suppressed: true } }]),
    );
    assert.equal(
      problem,
      'The dataset for "orders_there": "id" is a primary key, so it cannot be excluded as personal data.',
    );
  });
});

test("every problem of every dataset is reported", async () => {
  const found = await problemsOf(
    connector("csv", {}, [
      {
        custom_config: {
          max_reject_share: 5,
          max_delete_share: -1,
          on_missing_column: "drop",
          watermark_lag: -1,
          deletes: "yes",
          watermark_colum: "changed_at",
          owner: "ada",
        },
      },
      { target_name: "other", write_strategy: "upsert" },
    ]),
  );
  assert.deepEqual(found, [
    'The dataset for "orders_there": custom_config.max_reject_share must be a number from 0 to 1.',
    'The dataset for "orders_there": custom_config.max_delete_share must be a number from 0 to 1.',
    'The dataset for "orders_there": custom_config.on_missing_column must be "keep", "null" or "fail".',
    'The dataset for "orders_there": custom_config.deletes must be true or false.',
    'The dataset for "orders_there": custom_config.watermark_lag must be a number from 0 to 1000000000000000.',
    'The dataset for "orders_there": custom_config: the key "watermark_colum" is not known. Did you mean "watermark_column"?',
    'The dataset for "other": write_strategy "upsert" requires primary_keys: they identify the row to replace.',
  ]);
});

test("a lag needs a watermark", async () => {
  const lagging = (custom_config: ConnectorDataset["custom_config"]) =>
    connector("csv", {}, [{ custom_config, write_strategy: "append" }]);
  const custom_config = { watermark_column: "updated_at", watermark_lag: 900.5 };
  const [dataset] = (await transferOf(lagging(custom_config))).datasets;
  assert.equal(dataset?.watermarkLag, 900.5);
  assert.deepEqual(await problemsOf(lagging({ watermark_lag: 900 })), [
    'The dataset for "orders_there": custom_config.watermark_lag needs a watermark_column.',
  ]);
  assert.deepEqual(await problemsOf(lagging({ watermark_lag: 0 })), []);
});

test("a column that is added is filled where rows have a key, which a log knows by itself", async () => {
  const filling = (config: object, more: Partial<ConnectorDataset> = {}) => {
    const connection = { name: "shop", type: "postgresql", config: { database: "shop", ...config } };
    const custom_config = { on_added_column: "backfill" };
    return connector("warehouse", { connection }, [{ custom_config, ...more }]);
  };
  const refused = [
    'The dataset for "orders_there": custom_config.on_added_column "backfill" needs primary_keys and the write_strategy "upsert": rows that were appended are not changed.',
  ];
  assert.deepEqual(await problemsOf(filling({})), refused);
  assert.deepEqual(await problemsOf(filling({ capture: "log" })), []);
  assert.deepEqual(await problemsOf(filling({}, { primary_keys: ["id"], write_strategy: "upsert" })), []);
});

test("a dataset sets its share of rejects and whether rows are deleted", async () => {
  const custom_config = { max_reject_share: 0, deletes: true, max_delete_share: 1 };
  const keyed = { custom_config, primary_keys: ["id"], write_strategy: "upsert" };
  const [dataset] = (await transferOf(connector("csv", {}, [keyed]))).datasets;
  assert.deepEqual([dataset?.maxRejectShare, dataset?.deletes, dataset?.maxDeleteShare], [0, true, 1]);
  assert.deepEqual(await problemsOf(connector("csv", {}, [{ custom_config, write_strategy: "append" }])), [
    'The dataset for "orders_there": custom_config.deletes needs primary_keys and the write_strategy "upsert".',
  ]);
});
