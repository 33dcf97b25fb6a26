import { fileSlug, type TableName, tableSlug } from "@lakehelm/sql/names";
import type { Artifact, SecretReference } from "../artifact.ts";
import type { GenerationContext } from "../generation-context.ts";

/** The two ways of data. A connector of one name may go both: neither touches what belongs to the other. */
type ConnectorDirection = "ingestion" | "reverse-etl";

export const connectorFolder = (shape: ConnectorDirection, name: string): string =>
  `src/${shape}/${fileSlug(name)}`;

/** A table of the lakehouse that belongs to a connector: `_orders_state`. */
export const connectorTable = (name: string, suffix: string, context: GenerationContext): TableName => ({
  catalog: context.catalog,
  schema: context.schema,
  table: `_${tableSlug(name)}_${suffix}`,
});

/** Everything that a connector was generated from; secrets only as references. */
export const connectorFile = (
  folder: string,
  description: object,
  secrets: readonly SecretReference[],
): Artifact => ({
  path: `${folder}/connector.json`,
  content: `${JSON.stringify(description, null, 2)}\n`,
  fileType: "json",
  about: "The connector's configuration: what its code was generated from.",
  ...(secrets.length > 0 && { secrets }),
});
