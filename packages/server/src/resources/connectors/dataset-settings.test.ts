/** Every setting of a dataset, on every platform: it reaches what moves the rows, or it is refused with its name. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Connector, ConnectorDataset } from "@lakehelm/contract";
import { type DatasetSetting, datasetSettings } from "@lakehelm/contract/connections";
import { connectorCode } from "../../runtime/platforms/databricks/jobs/connector-code.ts";
import { connectorTransfer } from "./transfer-request.ts";

/** For each setting a value that is not its default. A setting that is missing here does not compile. */
const values: Readonly<Record<DatasetSetting, unknown>> = {
  watermark_column: "changed_at",
  watermark_lag: 60,
  max_reject_share: 0.2,
  deletes: true,
  max_delete_share: 0.9,
  on_missing_column: "fail",
  on_added_column: "backfill",
  on_lost_rows: "warn",
  pii_suppressed: true,
  pii_columns: ["email"],
};

/** The settings that another setting requires. */
const beside: Partial<Record<DatasetSetting, object>> = {
  watermark_lag: { watermark_column: "updated_at" },
  pii_columns: { pii_suppressed: true },
};

/** The settings that generated code supports. */
const generated: readonly DatasetSetting[] = ["watermark_column", "pii_suppressed", "pii_columns"];

const time = "2026-11-18T00:00:00Z";
const config = { host: "db.example.test", database: "shop", user: "reader", pii_columns: ["phone"] };

const connectorWith = (custom_config: ConnectorDataset["custom_config"]): Connector => ({
  id: "019f0000-0000-7000-8000-000000000001",
  name: "shop",
  target_type: "warehouse",
  target_config: { connection: { name: "shop", type: "postgresql", config } },
  ...{ execution_mode: "manual", compute_type: "serverless", status: "active" },
  ...{ schedule_cron: null, table_update_config: null, file_arrival_config: null, cluster_config: null },
  ...{ git_commit_id: null, git_branch: null, workflow_id: null, artifacts_path: null, error_message: null },
  ...{ created_at: time, updated_at: time, created_by: "ada", updated_by: null },
  datasets: [
    {
      id: "019f0000-0000-7000-8000-000000000002",
      connector_id: "019f0000-0000-7000-8000-000000000001",
      ...{ source_dataset: "orders", target_name: "raw.orders", change_detection: "incremental" },
      ...{ write_strategy: "upsert", current_watermark: null, current_watermark_time: null },
      ...{ primary_keys: ["id"], created_at: time, created_by: "ada", custom_config },
    },
  ],
});

suite("every setting of a dataset is obeyed or refused", () => {
  const scope = { environment: "e", catalog: "main", schema: "default" };
  for (const name of datasetSettings) {
    const without: Record<string, unknown> = { ...beside[name] };
    const [before, after] = [connectorWith(without), connectorWith({ ...without, [name]: values[name] })];

    test(`${name}: by the engine, for the embedded platform and for Spark`, async () => {
      const read = async (connector: Connector) => {
        const found = await connectorTransfer(connector, scope, async () => []);
        assert.ok("transfer" in found, JSON.stringify(found));
        return found.transfer.datasets;
      };
      assert.notDeepEqual(await read(after), await read(before));
    });

    test(`${name}: in a Databricks workspace`, () => {
      const [old, code] = [connectorCode(before, "scope"), connectorCode(after, "scope")];
      if (generated.includes(name)) {
        assert.ok("request" in code && "request" in old, JSON.stringify(code));
        assert.notDeepEqual(code.request, old.request);
        return;
      }
      assert.ok("problems" in code, "it is ignored");
      assert.match(
        code.problems.join(),
        new RegExp(`custom_config\\.${name} is not available in a Databricks`),
      );
    });
  }
});
