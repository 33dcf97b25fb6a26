import { changesOf, type ObjectChange, type TableMetadataChange } from "./change.ts";
import { columnKey, columnsByKey, type ObjectMetadata, type TableMetadata } from "./table-metadata.ts";

/** The earlier state of an object, and notes on what is unknown. */
interface EarlierState {
  readonly column: string | undefined;
  readonly changes: readonly TableMetadataChange[];
  readonly notes: readonly string[];
}

/** The changes that restore what the request changes, as far as the catalog knows it. Notes list the rest. */
export function undoOf(objects: readonly ObjectChange[], known: TableMetadata | undefined): EarlierState[] {
  const columns = columnsByKey(known);
  return objects.flatMap((object) => {
    const earlier = object.column === undefined ? known : columns.get(columnKey(object.column));
    const touched = changesOf(object);
    if (touched.length === 0) return [];
    const state = earlierState(object, touched, earlier ?? {});
    return state.changes.length > 0 || state.notes.length > 0 ? [state] : [];
  });
}

function earlierState(
  { column }: ObjectChange,
  touched: readonly TableMetadataChange[],
  earlier: ObjectMetadata,
): EarlierState {
  const changes: TableMetadataChange[] = [];
  const notes: string[] = [];
  const described = touched.some(({ kind }) => kind === "describe");
  if (described && usable(earlier.description)) {
    changes.push({ kind: "describe", column, text: earlier.description ?? "" });
  } else if (described) notes.push("Its earlier description is unknown, so it is not changed.");

  const keys = touched.flatMap(tagKeys);
  if (keys.length > 0 && !earlier.tags) {
    notes.push("Its earlier tags are unknown, so they are not changed.");
    return { column, changes, notes };
  }
  const before = new Map(Object.entries(earlier.tags ?? {}));
  // A tag that did not exist and is only removed needs no undo.
  const added = touched.flatMap((change) => (change.kind === "set tags" ? tagKeys(change) : []));
  for (const key of added) if (!before.has(key)) changes.push({ kind: "unset tag", column, key });
  const tags = keys.flatMap((key) => {
    const value = before.get(key);
    return value === undefined ? [] : [[key, value] as const];
  });
  const restored = tags.filter(([, value]) => usable(value));
  if (restored.length > 0) changes.push({ kind: "set tags", column, tags: restored });
  if (restored.length < tags.length)
    notes.push("An earlier tag has a value that cannot be written, so it is not restored.");
  return { column, changes, notes };
}

const tagKeys = (change: TableMetadataChange): string[] => {
  if (change.kind === "unset tag") return [change.key];
  return change.kind === "set tags" ? change.tags.map(([key]) => key) : [];
};

/** Whether a value is known and valid text for a statement. */
const usable = (text: string | null | undefined): boolean =>
  text !== undefined && (text ?? "").isWellFormed();
