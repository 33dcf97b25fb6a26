import type { DuckDBConnection } from "@duckdb/node-api";
import { operators } from "./ansi-macros.ts";
import { guardMacros } from "./guard-macros.ts";
import { registerHashFunctions } from "./hashes/hash-functions.ts";
import { nameOf, prefix } from "./spark-functions.ts";
import { functionMacros } from "./spark-macros.ts";

/**
 * Defines the macros and functions in the warehouse's in-memory database. Every connection finds them there, unless it
 * uses another schema. Separate from spark-functions.ts, which the translation thread loads without DuckDB.
 */
export async function defineFunctions(connection: DuckDBConnection): Promise<void> {
  const byName = Map.groupBy([...functionMacros, ...operators, ...guardMacros], nameOf);
  const statements = [...byName].map(([called, overloads]) => {
    const bodies = overloads.map((definition) => definition.slice(called.length)).join(", ");
    return `CREATE MACRO ${prefix}${called}${bodies}`;
  });
  await connection.run(statements.join(";\n"));
  registerHashFunctions(connection, prefix);
}
