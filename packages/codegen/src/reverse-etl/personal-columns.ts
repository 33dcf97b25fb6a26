import type { ReverseEtlFlowInput } from "@lakehelm/contract";
import { isPersonalTag } from "@lakehelm/contract/connections";
import { plainName, readTableName, type TableName } from "@lakehelm/sql/names";
import type { GenerationContext } from "../generation-context.ts";
import type { TableMetadata } from "../metadata/table-metadata.ts";

/**
 * By table: the columns that the platform's catalog marks as personal. A table that the catalog does not know is
 * absent.
 */
export type PersonalColumns = ReadonlyMap<string, readonly string[]>;

/** Looks up the tables whose personal data must not be sent, one at a time. */
export async function taggedColumns(
  { table_configs }: Pick<ReverseEtlFlowInput, "table_configs">,
  context: GenerationContext,
  describe: (table: TableName) => Promise<TableMetadata | undefined>,
): Promise<PersonalColumns> {
  const found = new Map<string, readonly string[]>();
  const sources = new Map(
    table_configs
      .filter(({ pii_suppressed }) => pii_suppressed)
      .map(({ source_dataset }) => readTableName(source_dataset, context, ""))
      .flatMap((name) => ("problem" in name ? [] : [[plainName(name), name] as const])),
  );
  for (const [key, source] of sources) {
    const known = await describe(source);
    if (!known) continue;
    const columns = Object.entries(known.columns).filter(([, { tags }]) => isPersonalTag(tags?.pii));
    // Tags may be set before the code runs, so the code reads them itself.
    if (columns.length === 0 && context.isWorkspace) continue;
    found.set(
      key,
      columns.map(([name]) => name),
    );
  }
  return found;
}
