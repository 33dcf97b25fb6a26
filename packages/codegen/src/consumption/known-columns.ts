import type { ConsumptionFlowInput } from "@lakehelm/contract";
import type { KnownColumns } from "@lakehelm/flows";
import { plainName, readTableName, type TableName } from "@lakehelm/sql/names";
import type { GenerationContext } from "../generation-context.ts";
import type { TableMetadata } from "../metadata/table-metadata.ts";

/** The columns of the flow's sources that the platform's catalog knows, read one table at a time. */
export async function knownColumns(
  { source_tables }: Pick<ConsumptionFlowInput, "source_tables">,
  context: GenerationContext,
  describe: (table: TableName) => Promise<TableMetadata | undefined>,
): Promise<KnownColumns> {
  const found = new Map<string, Readonly<Record<string, string>>>();
  const sources = new Map(
    source_tables
      .map((text) => readTableName(text, context, ""))
      .flatMap((name) => ("problem" in name ? [] : [[plainName(name), name] as const])),
  );
  for (const [key, source] of sources) {
    const known = await describe(source);
    if (!known) continue;
    found.set(
      key,
      Object.fromEntries(Object.entries(known.columns).map(([name, { type = "" }]) => [name, type])),
    );
  }
  return found;
}
