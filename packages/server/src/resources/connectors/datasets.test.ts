import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { ConnectorDataset, DatasetInput } from "@lakehelm/contract";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";

const orders = { source_dataset: "shop.sales.orders", target_name: "orders" };

for (const engine of engines) {
  suite(`datasets on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine });
    });
    after(() => server.close());

    const body = () => ({
      name: unique("connector"),
      target_type: "warehouse",
      target_config: null,
      created_by: "ada",
    });
    const create = (datasets?: DatasetInput[]) =>
      server.client.createConnector({ body: { ...body(), ...(datasets && { datasets }) } });
    const add = (connector_id: string, input: DatasetInput) =>
      server.client.addDataset({ params: { connector_id }, body: input });
    type DatasetChange = Parameters<TestServer["client"]["updateDataset"]>[0]["body"];
    const change = ({ connector_id, id }: ConnectorDataset, input: DatasetChange) =>
      server.client.updateDataset({ params: { connector_id, dataset_id: id }, body: input });
    const only = ({ datasets }: { datasets: ConnectorDataset[] | null }): ConnectorDataset => {
      const [dataset] = datasets ?? [];
      assert.ok(dataset);
      return dataset;
    };
    const kindsOf = async (id: string) =>
      (await server.events(undefined, `connector/${id}`)).map(({ kind }) => kind);

    test("PATCH of a connector takes its datasets as they are, and refuses others", async () => {
      const created = await create([
        { ...orders, primary_keys: ["id"], custom_config: { watermark_column: "at" } },
      ]);
      const [dataset] = created.datasets ?? [];
      type Sent = NonNullable<Parameters<TestServer["client"]["updateConnector"]>[0]["body"]["datasets"]>;
      const patch = (datasets: unknown) =>
        server.client.updateConnector({
          params: { connector_id: created.id },
          body: { git_branch: "main", datasets: datasets as Sent },
        });
      const others = [
        ...[[], null, "none"],
        ...[[{ ...dataset, primary_keys: ["id", "region"] }], [{ ...dataset, watermark_column: "at2" }]],
      ];
      for (const other of others) {
        const message = `This request cannot change datasets. Use PATCH or DELETE /api/v1/connectors/${created.id}/datasets/{dataset_id}, or POST /api/v1/connectors/${created.id}/datasets.`;
        await refused(patch(other), 409, message);
      }
      await patch(created.datasets);
      const read = await server.client.getConnector({ params: { connector_id: created.id } });
      assert.deepEqual([read.git_branch, read.datasets], ["main", created.datasets]);
    });

    test("a create request may have datasets; each gets its defaults", async () => {
      const created = await create([
        { ...orders, primary_keys: ["id"] },
        { ...orders, target_name: "log" },
      ]);
      const [first, second] = created.datasets ?? [];
      assert.deepEqual(first, {
        id: first?.id,
        connector_id: created.id,
        ...orders,
        change_detection: "incremental",
        write_strategy: "upsert",
        current_watermark: null,
        current_watermark_time: null,
        primary_keys: ["id"],
        custom_config: null,
        created_at: created.created_at,
        created_by: "ada",
      });
      assert.notEqual(second?.id, first?.id);
      const { connectors } = await server.client.listConnectors({ query: { limit: 1000 } });
      assert.deepEqual(connectors.find(({ id }) => id === created.id)?.datasets, created.datasets);
    });

    test("write_strategy: upsert with primary keys, else append; replace on request", async () => {
      const strategy = async (input: Partial<DatasetInput>) =>
        only(await create([{ ...orders, ...input }])).write_strategy;
      assert.equal(await strategy({ primary_keys: ["id"] }), "upsert");
      assert.equal(await strategy({}), "append");
      assert.equal(await strategy({ primary_keys: [] }), "append");
      assert.equal(await strategy({ primary_keys: null }), "append");
      assert.equal(await strategy({ primary_keys: ["id"], write_strategy: "replace" }), "replace");
      assert.equal(await strategy({ primary_keys: ["id"], write_strategy: "append" }), "append");
    });

    test("a wrong type in datasets of a create request is 409, never 422, and nothing is created", async () => {
      const totalBefore = (await server.client.listConnectors()).total;
      for (const [datasets, sentence] of [
        ["orders", "datasets: Input should be a valid list."],
        [[5], /^datasets\[0\]: Input should be a valid dictionary/],
        [[orders, { source_dataset: "s" }], "datasets[1][target_name]: Field required."],
        [[{ ...orders, primary_keys: "id" }], /^datasets\[0\]\[primary_keys\]: /],
        [[{ ...orders, write_strategy: "merge" }], /^datasets\[0\]\[write_strategy\]: /],
        [[orders, orders], 'Two datasets write to "orders".'],
        [
          [{ ...orders, write_strategy: "upsert" }],
          'The dataset for "orders" needs primary keys to be upserted.',
        ],
      ] as const) {
        const response = await server.fetch("/api/v1/connectors/", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ ...body(), datasets }),
        });
        const { detail } = (await response.json()) as { detail: string };
        assert.equal(response.status, 409, JSON.stringify(datasets));
        if (typeof sentence === "string") assert.equal(detail, sentence);
        else assert.match(detail, sentence);
      }
      assert.equal((await server.client.listConnectors()).total, totalBefore);
      const nulled = await server.fetch("/api/v1/connectors/", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...body(), datasets: null }),
      });
      assert.equal(nulled.status, 200);
    });

    test("a dataset is added, changed and removed", async () => {
      const created = await create();
      const added = await add(created.id, { ...orders, watermark_column: "changed_at" });
      const dataset = only(added);
      assert.deepEqual(
        [added.updated_by, dataset.custom_config],
        ["internal-service", { watermark_column: "changed_at" }],
      );
      const changed = await change(dataset, { target_name: "sales", custom_config: { a: 1 } });
      const custom_config = { watermark_column: "changed_at", a: 1 };
      assert.deepEqual(only(changed), { ...dataset, target_name: "sales", custom_config });
      const params = { connector_id: created.id, dataset_id: dataset.id };
      const removed = await server.client.removeDataset({ params });
      assert.deepEqual(removed.datasets, []);
      assert.deepEqual(await server.client.getConnector({ params }), removed);
      await refused(
        server.client.removeDataset({ params }),
        404,
        `The connector "${created.name}" has no dataset ${dataset.id}.`,
      );
      assert.deepEqual(await kindsOf(created.id), [
        "connector.created",
        "connector.dataset_added",
        "connector.dataset_updated",
        "connector.dataset_removed",
      ]);
    });

    test("a change of custom_config keeps the keys that it does not name", async () => {
      const dataset = only(
        await create([{ ...orders, watermark_column: "changed_at", custom_config: { a: 1 } }]),
      );
      const merged = await change(dataset, { custom_config: { deletes: true } });
      assert.deepEqual(only(merged).custom_config, { a: 1, watermark_column: "changed_at", deletes: true });
      const removed = await change(dataset, { custom_config: { a: null, deletes: false } });
      assert.deepEqual(only(removed).custom_config, { watermark_column: "changed_at", deletes: false });
      assert.equal(only(await change(dataset, { custom_config: null })).custom_config, null);
    });

    test("a write strategy follows the keys until it is set", async () => {
      const dataset = only(await create([orders]));
      assert.equal(only(await change(dataset, { primary_keys: ["id"] })).write_strategy, "upsert");
      assert.equal(only(await change(dataset, { primary_keys: null })).write_strategy, "append");
      assert.equal(only(await change(dataset, { write_strategy: "replace" })).write_strategy, "replace");
      assert.equal(only(await change(dataset, { primary_keys: ["id"] })).write_strategy, "replace");
      await refused(
        change(dataset, { primary_keys: null, write_strategy: "upsert" }),
        409,
        /needs primary keys/,
      );
    });

    test("one dataset for each target name, also for concurrent requests", async () => {
      const { id } = await create([orders]);
      await refused(add(id, orders), 409, 'Two datasets write to "orders".');
      const ended = await Promise.allSettled(
        Array.from({ length: 6 }, (_, n) => add(id, { ...orders, target_name: n < 3 ? "same" : `t${n}` })),
      );
      assert.equal(ended.filter(({ status }) => status === "fulfilled").length, 4);
      for (const one of ended) if (one.status === "rejected") assert.equal(one.reason.status, 409);
      const { datasets } = await server.client.getConnector({ params: { connector_id: id } });
      assert.deepEqual(datasets?.map(({ target_name }) => target_name).sort(), [
        "orders",
        "same",
        "t3",
        "t4",
        "t5",
      ]);
    });

    test("Idempotency-Key: a dataset sent twice, also concurrently, is added once", async () => {
      const { id } = await create();
      const call = { params: { connector_id: id }, body: orders, idempotencyKey: unique("k") };
      const answers = await Promise.all([1, 2, 3].map(() => server.client.addDataset(call)));
      for (const one of answers) assert.deepEqual(one, answers[0]);
      assert.equal(answers[0]?.datasets?.length, 1);
      assert.deepEqual(await server.client.addDataset(call), answers[0]);
    });

    test("a stale If-Match is 412", async () => {
      const dataset = only(await create([orders]));
      const params = { connector_id: dataset.connector_id, dataset_id: dataset.id };
      await change(dataset, { target_name: "a" });
      const stale = { params, ifMatch: '"1"' };
      await refused(server.client.updateDataset({ ...stale, body: { target_name: "b" } }), 412);
      await refused(server.client.removeDataset(stale), 412);
    });
  });
}
