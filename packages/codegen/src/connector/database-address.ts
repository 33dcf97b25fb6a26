import { type Config, commonKeys, connectionKind } from "@lakehelm/contract/connections";
import type { GenerationContext } from "../generation-context.ts";
import { referenceText } from "./secret-references.ts";
import { secretKey } from "./secret-values.ts";

const tuningKeys = ["partition_columns", "num_partitions", "fetch_size", "partition_bounds"];
const keys = ["host", "database", "user", "password"];

/** If a request has no database address, the connector reads the address from the secret scope when it runs. */
export function withAddress(config: Config, type: string, name: string, context: GenerationContext): Config {
  const hasNoAddress = Object.keys(config).every(
    (key) => commonKeys.includes(key) || tuningKeys.includes(key),
  );
  if (connectionKind(type)?.defaultPort === undefined || !hasNoAddress) return config;
  const reference = (key: string) =>
    referenceText({ scope: context.secretScope, key: secretKey(name, [key]) });
  return { ...config, ...Object.fromEntries(keys.map((key) => [key, reference(key)])) };
}
