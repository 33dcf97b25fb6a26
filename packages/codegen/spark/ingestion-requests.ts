import assert from "node:assert/strict";
import type { GenerationContext } from "../src/generation-context.ts";
import { generateIngestion } from "../src/ingestion/ingestion-generator.ts";

const context: GenerationContext = {
  ...{ environment: "local", mode: "development", host: null, git: null, runAs: null },
  ...{
    catalog: "main",
    schema: "bronze",
    otherCatalog: "main_dev",
    secretScope: "lakehelm",
    runtime: "spark",
    timezone: "UTC",
    notificationEmail: null,
    ownerGroup: null,
  },
};

/** The secrets of the notebooks: for the PostgreSQL of the test run, and for an API. */
export const secrets = { "lakehelm/postgres": "postgres", "lakehelm/api": "Bearer of the tests" };

/** The generated notebook of an ingestion. */
export function ingestionOf(
  type: string,
  config: Record<string, unknown>,
  tables: readonly object[],
  more: Partial<GenerationContext> = {},
): string {
  const result = generateIngestion(
    {
      name: "Shop's data",
      execution_mode: "manual",
      connection: { name: "shop", type, config },
      connection_ref: "shop",
      encode_artifacts: false,
      table_configs: tables.map((table) => ({
        ...{ pii_suppressed: false, source_dataset: "", target_name: "" },
        ...table,
      })),
    },
    { ...context, ...more },
  );
  assert.deepEqual(result.errors, undefined);
  return result.artifacts?.[0]?.content ?? "";
}
