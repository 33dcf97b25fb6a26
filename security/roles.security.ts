import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { startTarget } from "./target.ts";

suite("roles", () => {
  test("a viewer cannot change a resource, and an operator can", async (t) => {
    const { viewer, operator } = await startTarget(t);
    const body = JSON.stringify({
      name: "orders-to-crm",
      target_type: "postgresql",
      target_config: { host: "db.example.test" },
      created_by: "ada",
    });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    assert.equal((await viewer.fetch("/api/v1/connectors/", init)).status, 403);
    assert.equal((await operator.fetch("/api/v1/connectors/", init)).status, 200);
    assert.equal((await viewer.fetch("/api/v1/connectors/")).status, 200);
  });
});
