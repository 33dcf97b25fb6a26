import assert from "node:assert/strict";
import type { GenerationContext } from "../src/generation-context.ts";
import { generateReverseEtl } from "../src/reverse-etl/reverse-etl-generator.ts";
import type { EmptyDatabase } from "./postgres.ts";

const context: GenerationContext = {
  ...{ environment: "local", mode: "development", host: null, git: null, runAs: null },
  ...{
    catalog: "main",
    schema: "gold",
    otherCatalog: "main_dev",
    secretScope: "lakehelm",
    runtime: "spark",
    timezone: "UTC",
    notificationEmail: null,
    ownerGroup: null,
  },
};

/** The secrets of the notebooks: for the PostgreSQL of the test run, and for an endpoint. */
export const secrets = { "lakehelm/postgres": "postgres", "lakehelm/hook": "Bearer of the tests" };

/** The generated notebook of a reverse ETL. */
export function syncTo(
  type: string,
  config: Record<string, unknown>,
  tables: readonly object[],
  name = 'Shop\'s "data"',
): string {
  const result = generateReverseEtl(
    {
      ...{ name, target_type: type, target_config: config, execution_mode: "manual" },
      ...{ requested_by: "ada@example.com", encode_artifacts: false },
      table_configs: tables.map((table) => ({
        ...{ pii_suppressed: false, source_dataset: "customers", target_name: "customers" },
        ...table,
      })),
    },
    context,
  );
  assert.deepEqual(result.errors, undefined);
  return result.artifacts?.[0]?.content ?? "";
}

export const syncToPostgres = (
  database: EmptyDatabase,
  tables: readonly object[],
  more: object = {},
): string => {
  const { host, port, database: name, user } = database;
  const address = { host, port, database: name, user, password: "{{secrets/lakehelm/postgres}}" };
  return syncTo("postgresql", { ...address, ...more }, tables);
};
