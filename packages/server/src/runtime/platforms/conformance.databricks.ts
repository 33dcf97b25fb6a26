/**
 * The conformance suites in a workspace that exists:
 *
 *     DATABRICKS_HOST=https://… DATABRICKS_TOKEN=… npm run test:databricks
 *     DATABRICKS_HOST=https://… DATABRICKS_CLIENT_ID=… DATABRICKS_CLIENT_SECRET=… npm run test:databricks
 *
 * DATABRICKS_CATALOG (main), DATABRICKS_WAREHOUSE_ID (for queries, pipelines and runs that move rows; it creates a schema) and DATABRICKS_MODEL (for
 * agents) are optional. It deletes what it has made.
 */
import { test } from "node:test";
import { resourcesOf } from "./capabilities.ts";
import { resourceConformance } from "./conformance/resources.ts";
import { platformConformance } from "./conformance/suite.ts";
import { workspaceResources } from "./conformance/workspace-fixture.ts";
import { workspaceHarness } from "./conformance/workspace-harness.ts";

const {
  DATABRICKS_HOST: host,
  DATABRICKS_TOKEN: token,
  DATABRICKS_CLIENT_ID: clientId,
  DATABRICKS_CLIENT_SECRET: clientSecret,
  DATABRICKS_CATALOG: catalog = "main",
  DATABRICKS_WAREHOUSE_ID: warehouseId,
  DATABRICKS_MODEL: model,
} = process.env;

const credentials = clientId && clientSecret ? { clientId, clientSecret } : token ? { token } : undefined;

if (host && credentials) {
  const access = { host, credentials, catalog, warehouseId, model };
  resourceConformance({
    name: "databricks",
    resources: resourcesOf.databricks,
    open: () => workspaceResources(access),
  });
  if (warehouseId) platformConformance(workspaceHarness(access), "sqlite");
  else test("runs that move rows", { skip: "Set DATABRICKS_WAREHOUSE_ID." }, () => {});
} else {
  test("conformance in a workspace", {
    skip: "Set DATABRICKS_HOST, and DATABRICKS_TOKEN or DATABRICKS_CLIENT_ID with DATABRICKS_CLIENT_SECRET.",
  }, () => {});
}
