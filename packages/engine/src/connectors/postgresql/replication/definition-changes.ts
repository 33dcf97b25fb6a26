import type { LogGap } from "../../source/change-log.ts";
import { typeChange } from "../relation-facts.ts";
import type { DefinedTable, TableDefinition } from "./table-definition.ts";

/** What has happened to a table since a run relied on its definition. */
export interface DefinitionChanges {
  /** Why changes may be missing in the log, or the warehouse has values that no change in the log corrects; undefined: nothing. */
  readonly gap: LogGap | undefined;
  /** New partitions, and the transaction that created each. A row of the same transaction is not in the log. */
  readonly newPartitions: Readonly<Record<string, string>>;
}

export function compareDefinitions(
  before: TableDefinition,
  { definition: now, created }: Pick<DefinedTable, "definition" | "created">,
): DefinitionChanges {
  const added = Object.keys(now.partitions).filter((oid) => before.partitions[oid] === undefined);
  return {
    gap: gapOf(before, now, added, created),
    newPartitions: Object.fromEntries(added.map((oid) => [oid, created[oid] ?? ""])),
  };
}

/**
 * Columns that the table no longer has stay in the warehouse with their values. They are remembered with the number 0,
 * which no column has, so a new column of the same name is taken for another column.
 */
export const withFormerColumns = (
  now: TableDefinition,
  before: TableDefinition | undefined,
): Record<string, unknown> => {
  const former = Object.keys(before?.columns ?? {}).map(
    (name) => [name, { number: 0, version: "" }] as const,
  );
  return { ...now, columns: { ...Object.fromEntries(former), ...now.columns } };
};

export const lostFor = (reason: string): LogGap => ({ reason, mayBeTruncation: false });

function gapOf(
  before: TableDefinition,
  now: TableDefinition,
  added: readonly string[],
  created: Readonly<Record<string, string>>,
): LogGap | undefined {
  if (before.publication !== now.publication) return lostFor("the publication was changed or created again");
  if (before.membership.join() !== now.membership.join())
    return lostFor(
      "it left the publication, or was added to it again with other columns or another condition",
    );
  if (before.rowType !== now.rowType)
    return lostFor("it got another name or schema, or is published in another way");
  const kept = Object.entries(before.partitions);
  if (kept.some(([oid, { link }]) => now.partitions[oid]?.link !== link))
    return lostFor("a partition was detached, attached or dropped");
  if (added.some((oid) => created[oid] === undefined)) return lostFor("a partition was attached");
  if (kept.some(([oid, { file }]) => now.partitions[oid]?.file !== file))
    return { reason: "a partition was truncated or rewritten", mayBeTruncation: true };
  if (kept.some(([oid, { identity }]) => now.partitions[oid]?.identity !== identity))
    return lostFor("what identifies the rows of a partition was changed");
  if (before.file !== now.file && (now.rowType !== null || hasOtherColumn(before, now)))
    return { reason: "it was truncated or rewritten", mayBeTruncation: true };
  for (const [name, { number }] of Object.entries(now.columns)) {
    const known = before.columns[name];
    if (known ? known.number !== number : number <= before.lastColumn)
      return lostFor(`the column "${name}" was renamed, or dropped and added again, or was not read before`);
  }
  const types = typeChange(before, now);
  return types === undefined ? undefined : lostFor(types);
}

/** Whether a column that both definitions have was changed: its type, or the expression for its values. */
const hasOtherColumn = (before: TableDefinition, now: TableDefinition): boolean =>
  Object.entries(before.columns).some(
    ([name, { version }]) => (now.columns[name]?.version ?? version) !== version,
  );
