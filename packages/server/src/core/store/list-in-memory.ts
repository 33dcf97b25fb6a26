import type { ListFields } from "@lakehelm/contract";
import { listColumns, requested } from "./collection.ts";
import { cursorsOf, isPlain, type ListRequest, readListRequest } from "./list-request.ts";
import { compareCodePoints } from "./list-search.ts";
import type { ListColumns } from "./tables.ts";

interface MemoryPage<T> {
  readonly items: T[];
  readonly total: number;
  /** Null: this is the last page. Undefined: the request asked for no cursor, filter or order. */
  readonly next_cursor?: string | null;
}

/** What a list answers beside its items. */
export const pageEnd = ({ total, next_cursor }: MemoryPage<unknown>) => ({
  total,
  ...(next_cursor !== undefined && { next_cursor }),
});

/**
 * The page of a list whose items are all known: files, secret names, tables. `idOf` is unique, and orders items that are
 * otherwise equal. Without a filter, an order or a cursor the items keep the order that they have.
 */
export function pageInMemory<T>(
  list: string,
  all: readonly T[],
  { fields, idOf }: { readonly fields: ListFields; readonly idOf: (item: T) => string },
  request: ListRequest,
): MemoryPage<T> {
  const { skip, limit } = request;
  if (isPlain(request)) return { items: all.slice(skip, skip + limit), total: all.length };
  const { filters, column, descending } = readListRequest(
    list,
    { ...request, ...(request.cursor !== undefined && { cursor: "" }) },
    listColumns(requested, request),
  );
  const cursors = cursorsOf(list, "in memory", filters, request.sort ?? null);
  const after = cursors.read(request.cursor);
  const [afterValue = "", afterId = ""] = after ? keyOf(after.value) : [];

  const found = all
    .map((item) => {
      const columns = listColumns(fields, item);
      return { item, columns, id: idOf(item), value: column === undefined ? "" : columns[column] };
    })
    .filter(({ columns }) => matches(columns, filters));
  const sign = descending ? -1 : 1;
  const order = (value: string, id: string, otherValue: string, otherId: string) =>
    sign * (compareCodePoints(value, otherValue) || compareCodePoints(id, otherId));
  found.sort((a, b) => order(a.value, a.id, b.value, b.id));
  const from = after
    ? found.findIndex(({ value, id }) => order(value, id, afterValue, afterId) > 0)
    : Math.min(skip, found.length);
  const rest = from < 0 ? [] : found.slice(from);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const next_cursor =
    rest.length > limit && last
      ? cursors.write({ value: JSON.stringify([last.value, last.id]), position: 0 })
      : null;
  return { items: page.map(({ item }) => item), total: found.length, next_cursor };
}

/** A cursor that was made up may point anywhere. */
function keyOf(value: string): string[] {
  try {
    const parts: unknown = JSON.parse(value);
    return Array.isArray(parts) ? parts.map(String) : [];
  } catch {
    return [];
  }
}

function matches(columns: ListColumns, filters: Readonly<Record<string, string | null>>): boolean {
  const { name, status, owner, created_after, created_before, updated_after, updated_before, search } =
    filters;
  return (
    is(name, (value) => columns.name === value) &&
    is(status, (value) => columns.status === value) &&
    is(owner, (value) => columns.created_by === value) &&
    is(created_after, (value) => columns.created_at >= value) &&
    is(created_before, (value) => columns.created_at < value) &&
    is(updated_after, (value) => columns.updated_at >= value) &&
    is(updated_before, (value) => columns.updated_at < value) &&
    is(search, (value) => columns.search_text.includes(value))
  );
}

const is = (filter: string | null | undefined, test: (value: string) => boolean) =>
  filter === null || filter === undefined || test(filter);
