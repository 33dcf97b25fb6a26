import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { refused } from "../testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "../testing/server.ts";

const alteration = {
  catalog_name: "shop",
  schema_name: "sales",
  table_name: "orders",
  change: { table_description: "One row for each order", columns: [] },
};
const flow = {
  flow_name: "daily_revenue",
  source_tables: ["shop.sales.orders"],
  target_name: "shop.marts.daily_revenue",
  trigger_type: "scheduled",
  matched_sql: "select order_date, sum(amount) as revenue from shop.sales.orders group by order_date",
  target_schema: { description: "Revenue by day", columns: [{ name: "order_date", type: "date" }] },
  requested_by: "ada@example.com",
};
const shared = {
  name: "orders",
  execution_mode: "batch",
  table_configs: [{ source_dataset: "orders", target_name: "orders" }],
};
const ingestion = {
  ...shared,
  connection: { name: "crm", type: "postgresql", config: { password: "hunter2" } },
  connection_ref: "crm",
};
const reverse = { ...shared, target_type: "postgresql", requested_by: "ada@example.com" };

for (const engine of engines) {
  suite(`code generation on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine });
    });
    after(() => server.close());

    type Place = { environment?: string };
    const calls = {
      "#6": (place: Place = {}) => server.client.generateAlterMetadata({ body: alteration, ...place }),
      "#7": (place: Place = {}) => server.client.generateConsumption({ body: flow, ...place }),
      "#8 (ingestion)": (place: Place = {}) => server.client.generateConnector({ body: ingestion, ...place }),
      "#8 (reverse ETL)": (place: Place = {}) => server.client.generateConnector({ body: reverse, ...place }),
    };

    for (const [name, generate] of Object.entries(calls)) {
      test(`${name} answers status error and a sentence until it generates, and writes nothing`, async () => {
        const before = await server.rows();
        assert.deepEqual(await generate(), {
          status: "error",
          artifacts: [],
          errors: ["Code generation is not part of this version of Lakehelm yet."],
        });
        assert.deepEqual(await server.rows(), before);
        assert.doesNotMatch(server.logged.join(), /hunter2/);
      });

      test(`${name} honours X-Environment-Id: unknown 404, inactive 409`, async () => {
        const off = unique("off");
        const { id } = await server.client.createEnvironment({ body: { name: off, isActive: false } });
        await refused(generate({ environment: "nowhere" }), 404, /nowhere/);
        await refused(generate({ environment: off }), 409, /not active/);
        await refused(generate({ environment: id }), 409, /not active/);
      });
    }

    test("#6, #7 and #8 refuse what is not well formed with 422", async () => {
      for (const path of ["alter-metadata", "consumption", "connector"]) {
        const answer = await server.fetch(`/api/v1/codegen/${path}`, {
          method: "POST",
          body: "{}",
          headers: { "content-type": "application/json" },
        });
        assert.equal(answer.status, 422, path);
      }
    });
  });
}
