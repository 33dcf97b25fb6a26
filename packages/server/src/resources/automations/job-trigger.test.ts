import assert from "node:assert/strict";
import { test } from "node:test";
import { AutomationDefinition, Environment } from "@lakehelm/contract";
import { jobTriggerOf } from "./job-trigger.ts";

const environment = Environment.check(
  { id: "e-1", name: "prod", platform: "embedded", configuration: { catalog: "shop", schema: "sales" } },
  [],
  [],
);
const of = (more: object) =>
  jobTriggerOf(AutomationDefinition.check({ tasks: [], ...more }, [], []), { environment });

test("a schedule becomes a cron trigger, in UTC by default", () => {
  const cron = "0 6 * * *";
  assert.deepEqual(of({ schedule: { cron, timezone: null } }), { kind: "cron", cron, timezone: "UTC" });
});

test("table names are completed with the catalog and schema of the environment", () => {
  const table_update = { table_names: ["Orders", "x.y.z"], wait_after_last_change_seconds: 5 };
  assert.deepEqual(of({ trigger: { table_update } }), {
    kind: "table_update",
    tables: ["shop.sales.orders", "x.y.z"],
    condition: "any",
    quiet_seconds: 5,
    minimum_seconds: 0,
  });
});

test("file, continuous and manual triggers", () => {
  const file_arrival = { path: "/in/*.csv", min_time_between_triggers_seconds: 60 };
  assert.deepEqual(of({ trigger: { file_arrival } }), {
    kind: "file_arrival",
    path: "/in/*.csv",
    quiet_seconds: 0,
    minimum_seconds: 60,
  });
  assert.equal(of({ trigger: { continuous: true } }).kind, "live");
  assert.deepEqual(of({}), { kind: "manual" });
});
