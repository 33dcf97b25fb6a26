import assert from "node:assert/strict";
import type { GenerationContext } from "../src/generation-context.ts";
import { generateReverseEtl } from "../src/reverse-etl/reverse-etl-generator.ts";
import type { Database } from "./postgres.ts";

const context: GenerationContext = {
  ...{ environment: "local", mode: "development", host: null, git: null, runAs: null },
  ...{ catalog: "main", schema: "gold", secretScope: "lakehelm" },
};

/** What the notebooks ask for by `secret()`: the password of the test run's PostgreSQL, and an endpoint's key. */
export const secrets = { "lakehelm/postgres": "postgres", "lakehelm/hook": "Bearer of the tests" };

/** The notebook that sends tables somewhere, as it is handed out. */
export function syncTo(
  type: string,
  config: Record<string, unknown>,
  tables: readonly object[],
  name = 'Shop\'s "data"',
): string {
  const made = generateReverseEtl(
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
  assert.deepEqual(made.errors, undefined);
  return made.artifacts?.[0]?.content ?? "";
}

export const syncToPostgres = (database: Database, tables: readonly object[], more: object = {}): string => {
  const { host, port, database: name, user } = database;
  const address = { host, port, database: name, user, password: "{{secrets/lakehelm/postgres}}" };
  return syncTo("postgresql", { ...address, ...more }, tables);
};
