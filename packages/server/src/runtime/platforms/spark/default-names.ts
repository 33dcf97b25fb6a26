import { isSessionLost, SparkError, type SparkSession } from "@lakehelm/spark-connect";
import { quoteIdentifier, schemaName } from "@lakehelm/sql/names";
import type { ClusterConfiguration } from "./configuration.ts";

/**
 * Completes short names by the environment's catalog and schema. False: the schema does not exist, so only the catalog is set,
 * if the cluster has it.
 */
export async function useDefaultNames(
  session: SparkSession,
  { catalog, schema }: Pick<ClusterConfiguration, "catalog" | "schema">,
  signal?: AbortSignal,
): Promise<boolean> {
  async function uses(name: string): Promise<boolean> {
    try {
      await Array.fromAsync(session.execute(`USE ${name}`, { signal }));
      return true;
    } catch (error) {
      if (error instanceof SparkError && !isSessionLost(error)) return false;
      throw error;
    }
  }
  if (await uses(schemaName({ catalog, schema }))) return true;
  await uses(quoteIdentifier(catalog));
  return false;
}
