import { fileSlug, type TableName, tableSlug } from "@lakehelm/sql/names";
import type { Artifact, GenerationResult, RequiredSecret } from "../artifact.ts";
import type { GenerationContext } from "../generation-context.ts";

/** The artifacts, and the secret values of the request, which no artifact may contain. */
export type GeneratedConnector = GenerationResult & { readonly withheld: readonly string[] };

/** The direction of the data. Two connectors with the same name and different directions share no files or tables. */
type ConnectorDirection = "ingestion" | "reverse-etl";

export const connectorFolder = (shape: ConnectorDirection, name: string): string =>
  `src/${shape}/${fileSlug(name)}`;

/** A lakehouse table for the connector's own data, such as `_orders_state`. */
export const connectorTable = (name: string, suffix: string, context: GenerationContext): TableName => ({
  catalog: context.catalog,
  schema: context.schema,
  table: `_${tableSlug(name)}_${suffix}`,
});

/** The request as the generator sees it, with references instead of secrets. */
export const connectorFile = (
  folder: string,
  description: object,
  secrets: readonly RequiredSecret[],
): Artifact => ({
  path: `${folder}/connector.json`,
  content: `${JSON.stringify(description, null, 2)}\n`,
  fileType: "json",
  about: "The connector's configuration: what its code was generated from.",
  ...(secrets.length > 0 && { secrets }),
});
