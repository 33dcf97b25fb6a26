/** Attacks on the columns of tables. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { startTarget } from "./target.ts";

const odd = [`"; DROP TABLE orders; --`, "select", "naïve 🙂", "a=b", "back`tick", "it's"];

suite("alterations of tables", () => {
  test("only who may change the environment alters a table, and no name leaves its place", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "lakehelm-alter-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const header = ["id", ...odd].map((name) => `"${name.replaceAll('"', '""')}"`).join(",");
    await writeFile(join(folder, "orders.csv"), `${header}\n1,2,3,4,5,6,7\n`);
    const { viewer, operator } = await startTarget(t, { settings: { PLATFORM_CONNECTOR_FOLDERS: folder } });
    const { client } = operator;
    const { id } = await client.createConnector({
      body: {
        name: "in",
        target_type: "warehouse",
        target_config: {
          connection: { name: "files", type: "files", config: { path: folder, format: "csv" } },
        },
        execution_mode: "manual",
        created_by: "ada",
        datasets: [{ source_dataset: "orders.csv", target_name: "orders" }],
      },
    });
    const run = async () => {
      const { id: run_id } = await client.runJob({ params: { job_id: `connector-${id}` }, body: {} });
      const read = () => client.getRun({ params: { run_id } });
      await until(async () => !["queued", "running"].includes((await read()).status), 20);
      assert.equal((await read()).status, "succeeded", (await read()).error ?? "");
    };
    await run();

    const post = (caller: typeof viewer, body: object, path = "") =>
      caller.fetch(`/api/v1/catalog/alterations${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const drop = { table: "orders", changes: [{ change: "drop", column: "id" }], force: true };
    for (const path of ["", "/plan"]) assert.equal((await post(viewer, drop, path)).status, 403);
    assert.equal(
      (
        await post(
          {
            ...viewer,
            fetch: (at, init) =>
              viewer.fetch(at, { ...init, headers: { ...init?.headers, authorization: "" } }),
          },
          drop,
        )
      ).status,
      401,
    );

    // Legitimate use: columns with unusual names can be moved and retyped, and the connector keeps working.
    for (const column of odd) {
      const changes = [
        { change: "set_type", column, type: "DECIMAL(30,0)" },
        { change: "move", column, after: null },
      ];
      const response = await post(operator, { table: "orders", changes });
      assert.equal(response.status, 200, `${column}: ${await response.text()}`);
    }
    await run();
    const { columns, rows } = await client.runQuery({ body: { sql: "SELECT * FROM orders" } });
    assert.deepEqual(
      columns.map(({ name }) => name),
      [...odd.toReversed(), "id"],
    );
    assert.equal(rows.length, 1);

    const refused: readonly (readonly [object, number])[] = [
      [{ table: "_lakehelm.marks", changes: [{ change: "drop", column: "value" }] }, 409],
      [{ table: "main._lakehelm.versions", changes: [{ change: "drop", column: "version" }] }, 409],
      [{ table: "`_lakehelm`.`versions`", changes: [{ change: "drop", column: "version" }] }, 409],
      [
        { table: "system.information_schema.tables", changes: [{ change: "drop", column: "table_name" }] },
        409,
      ],
      [{ table: "orders; DROP TABLE orders", changes: [{ change: "drop", column: "id" }] }, 409],
      [
        {
          table: "orders",
          changes: [{ change: "set_type", column: "id", type: "INT USING (1); DROP TABLE orders" }],
        },
        409,
      ],
      [
        {
          table: "orders",
          changes: [{ change: "set_type", column: "id", type: `${"ARRAY<".repeat(80)}INT` }],
        },
        409,
      ],
      [{ table: "orders", changes: [{ change: "set_type", column: "id", type: "X".repeat(501) }] }, 422],
      [{ table: "orders", changes: [{ change: "drop", column: `id" CASCADE; --` }] }, 409],
      [{ table: "orders", changes: [{ change: "explode", column: "id" }] }, 422],
      [{ table: "orders", changes: [] }, 422],
      [
        {
          table: "orders",
          changes: Array.from({ length: 10_000 }, () => ({ change: "drop", column: "id" })),
        },
        422,
      ],
    ];
    for (const [body, status] of refused) {
      for (const path of ["", "/plan"]) {
        const response = await post(operator, { ...body, ...(path === "" && { force: true }) }, path);
        assert.equal(
          response.status,
          status,
          `${JSON.stringify(body).slice(0, 200)}: ${await response.text()}`,
        );
      }
    }
    assert.equal((await client.runQuery({ body: { sql: "SELECT * FROM orders" } })).rows.length, 1);
    await run();
  });
});
