import assert from "node:assert/strict";
import { test } from "node:test";
import type { EndpointBodyInput, endpoints } from "@lakehelm/contract";
import { ApiError } from "@lakehelm/contract/client";
import { startTestServer } from "../../testing/server.ts";

type Resource = NonNullable<EndpointBodyInput<typeof endpoints.createPlan>["resources"]>[number];

const many = (length: number, one: (n: number) => Resource) => Array.from({ length }, (_, n) => one(n));

const importer = (n: number, table: string): Resource => ({
  kind: "connector",
  name: `in-${n}`,
  definition: {
    target_type: "warehouse",
    target_config: {
      connection: {
        type: "postgresql",
        config: { host: "db.example.test", database: "shop", user: "loader" },
      },
    },
    execution_mode: "manual",
    datasets: [{ source_dataset: "public.orders", target_name: table }],
  },
});

const exporter = (n: number, tables: readonly string[]): Resource => ({
  kind: "connector",
  name: `out-${n}`,
  definition: {
    target_type: "csv",
    target_config: { path: "/srv/shop" },
    execution_mode: "manual",
    datasets: tables.map((table) => ({ source_dataset: table, target_name: `${table}.csv` })),
  },
});

const requestOf = (resources: Resource[]) => ({
  body: { environment: "local", project: { name: "shop" }, resources },
});

test("a plan does not grow with the square of its resources", async (t) => {
  const { client, close } = await startTestServer();
  t.after(close);

  // Each of 500 writers times each of 500 readers.
  const dense = [...many(500, (n) => importer(n, "t")), ...many(500, (n) => exporter(n, ["t"]))];
  await assert.rejects(client.createPlan(requestOf(dense)), (error) => {
    assert.ok(error instanceof ApiError && error.status === 409);
    assert.match(error.message, /in more than 200000 ways\. out-\d+ alone depends on 500/);
    return true;
  });

  // All resources that a step affects are counted, and some of them listed.
  const wide = [importer(0, "t"), ...many(449, (n) => exporter(n, ["t"]))];
  const { steps, summary } = await client.createPlan(requestOf(wide));
  assert.equal(summary.create, 450);
  const [first] = steps;
  assert.deepEqual([first?.impact?.downstream_total, first?.impact?.downstream.length], [450, 44]);
  assert.deepEqual(steps.at(-1)?.depends_on, [1]);
});

test("a resource of a plan is as large as the request that creates it may be", async (t) => {
  const { client, close } = await startTestServer({ settings: { PLATFORM_BODY_LIMIT_BYTES: "100000" } });
  t.after(close);
  const large = (length: number): Resource => ({
    ...importer(0, "t"),
    definition: { ...importer(0, "t").definition, target_config: { note: "x".repeat(length) } },
  });
  await assert.rejects(client.createPlan(requestOf([large(100_000)])), (error) => {
    assert.ok(error instanceof ApiError && error.status === 413);
    assert.match(error.message, /The definition of the connector "in-0" has more than 100000 bytes/);
    return true;
  });
  // Several resources together may be larger than a request that creates one.
  const several = many(3, (n) => ({ ...large(60_000), name: `in-${n}` }));
  assert.equal((await client.createPlan(requestOf(several))).summary.create, 3);
});
