import { type ChangePart, changesOf, type MetadataChange } from "./change.ts";
import { columnKey, columnsByKey, type ObjectMetadata, type TableMetadata } from "./table-metadata.ts";

/** How a part of the table was before, and what is to be said of the rest. */
interface FormerState {
  readonly column: string | undefined;
  readonly changes: readonly MetadataChange[];
  readonly notes: readonly string[];
}

/** What brings back all that the change touches and the catalog knows. What it does not know is named and left alone. */
export function undoOf(parts: readonly ChangePart[], known: TableMetadata | undefined): FormerState[] {
  const columns = columnsByKey(known);
  return parts.flatMap((part) => {
    const former = part.column === undefined ? known : columns.get(columnKey(part.column));
    const touched = changesOf(part);
    if (touched.length === 0) return [];
    const state = formerState(part, touched, former ?? {});
    return state.changes.length > 0 || state.notes.length > 0 ? [state] : [];
  });
}

function formerState(
  { column }: ChangePart,
  touched: readonly MetadataChange[],
  former: ObjectMetadata,
): FormerState {
  const changes: MetadataChange[] = [];
  const remarks: string[] = [];
  const described = touched.some(({ kind }) => kind === "describe");
  if (described && usable(former.description)) {
    changes.push({ kind: "describe", column, text: former.description ?? "" });
  } else if (described) remarks.push("Its former description is not known here: it is left as it is.");

  const keys = touched.flatMap(tagKeys);
  if (keys.length > 0 && !former.tags) {
    remarks.push("Its former tags are not known here: they are left as they are.");
    return { column, changes, notes: remarks };
  }
  const before = new Map(Object.entries(former.tags ?? {}));
  // A tag that was not there before and is only removed now has nothing to go back to.
  const added = touched.flatMap((change) => (change.kind === "set tags" ? tagKeys(change) : []));
  for (const key of added) if (!before.has(key)) changes.push({ kind: "unset tag", column, key });
  const tags = keys.flatMap((key) => {
    const value = before.get(key);
    return value === undefined ? [] : [[key, value] as const];
  });
  const restored = tags.filter(([, value]) => usable(value));
  if (restored.length > 0) changes.push({ kind: "set tags", column, tags: restored });
  if (restored.length < tags.length)
    remarks.push("A former tag has a value that cannot be written: it is left out.");
  return { column, changes, notes: remarks };
}

const tagKeys = (change: MetadataChange): string[] => {
  if (change.kind === "unset tag") return [change.key];
  return change.kind === "set tags" ? change.tags.map(([key]) => key) : [];
};

/** Known, and text that a statement can carry. */
const usable = (text: string | null | undefined): boolean =>
  text !== undefined && (text ?? "").isWellFormed();
