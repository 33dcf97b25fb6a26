/**
 * The conformance of resources in a workspace that exists:
 *
 *     DATABRICKS_HOST=https://… DATABRICKS_TOKEN=… npm run test:databricks
 *     DATABRICKS_HOST=https://… DATABRICKS_CLIENT_ID=… DATABRICKS_CLIENT_SECRET=… npm run test:databricks
 *
 * DATABRICKS_CATALOG (main), DATABRICKS_WAREHOUSE_ID (for queries and pipelines; it creates a schema) and DATABRICKS_MODEL (for
 * agents) are optional. It deletes what it has made.
 */
import { test } from "node:test";
import { resourcesOf } from "./capabilities.ts";
import { resourceConformance } from "./conformance/resources.ts";
import { workspaceResources } from "./conformance/workspace-fixture.ts";

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
  resourceConformance({
    name: "databricks",
    resources: resourcesOf.databricks,
    open: () => workspaceResources({ host, credentials, catalog, warehouseId, model }),
  });
} else {
  test("conformance in a workspace", {
    skip: "Set DATABRICKS_HOST, and DATABRICKS_TOKEN or DATABRICKS_CLIENT_ID with DATABRICKS_CLIENT_SECRET.",
  }, () => {});
}
