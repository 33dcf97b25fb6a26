import { type Config, isMap } from "@lakehelm/contract/connections";
import type { ConnectionConfig } from "@lakehelm/engine";
import type { Lineage, LineageDataset } from "../../runtime/jobs/lineage.ts";
import { fullTableName } from "../../runtime/platforms/warehouse.ts";
import type { ConnectorTransfer } from "./transfer-request.ts";

/** What a connector reads and writes, by the names that OpenLineage gives to datasets of other systems. */
export function lineageOf({ scope, direction, connection, datasets }: ConnectorTransfer): Lineage {
  const inWarehouse = (name: string): LineageDataset => ({ name: fullTableName(name, scope) });
  const outside = (name: string) => datasetOf(connection, name);
  const [read, written] = direction === "in" ? [outside, inWarehouse] : [inWarehouse, outside];
  return {
    inputs: datasets.map(({ source }) => read(source)),
    outputs: datasets.map(({ target }) => written(target)),
  };
}

const defaultPorts: Readonly<Record<string, number>> = { postgres: 5432, mysql: 3306 };
const schemes: Readonly<Record<string, string>> = { postgresql: "postgres", mariadb: "mysql" };

function datasetOf({ type, config }: ConnectionConfig, name: string): LineageDataset {
  const kind = type.toLowerCase();
  const scheme = schemes[kind] ?? kind;
  if (typeof config.host === "string") {
    const port = config.port ?? defaultPorts[scheme];
    const namespace = `${scheme}://${config.host}${port === undefined ? "" : `:${port}`}`;
    return { namespace, name: databaseName(scheme, config, name) };
  }
  if (typeof config.path === "string") {
    const isDatabase = kind === "sqlite" || kind === "duckdb";
    return isDatabase
      ? { namespace: `${kind}://${config.path}`, name }
      : { namespace: "file", name: `${config.path}/${name}`.replace(/\/{2,}/g, "/") };
  }
  // User and query of a URL may hold credentials.
  const url = typeof config.url === "string" && URL.canParse(config.url) ? new URL(config.url) : undefined;
  return url ? { namespace: url.origin, name: `${url.pathname}#${name}` } : { namespace: kind, name };
}

/** `database.schema.table`, or `database.table` where schemas are databases. */
function databaseName(scheme: string, { database, schema, options }: Config, name: string): string {
  const parts = name.split(".");
  if (scheme === "mysql") return parts.length > 1 ? name : `${database}.${name}`;
  const named = schema ?? (isMap(options) ? options.schema : undefined);
  return parts.length > 1 ? `${database}.${name}` : `${database}.${named ?? "public"}.${name}`;
}
