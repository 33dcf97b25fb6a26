import { hash } from "node:crypto";
import { InvalidRequest } from "../errors.ts";
import type { ListColumns } from "./tables.ts";

/** The query of a list, validated: paging, filters, order and cursor. */
export interface ListRequest {
  readonly skip: number;
  readonly limit: number;
  readonly name?: string;
  readonly status?: string;
  readonly owner?: string;
  readonly created_after?: string;
  readonly created_before?: string;
  readonly updated_after?: string;
  readonly updated_before?: string;
  readonly search?: string;
  readonly sort?: string;
  readonly cursor?: string;
  /** Resolved by the list's scope. */
  readonly environment?: string;
}

/** Skipping in a sorted list holds the skipped keys in memory. A cursor does not. */
const maxSortedSkip = 1_000;

export type SortColumn = "name" | "status" | "created_at" | "updated_at";

/** Whether the request has only `skip` and `limit`: then the tallies answer it. */
export const isPlain = (request: ListRequest): boolean =>
  request.search === undefined &&
  request.sort === undefined &&
  request.cursor === undefined &&
  request.name === undefined &&
  request.status === undefined &&
  request.owner === undefined &&
  request.environment === undefined &&
  request.created_after === undefined &&
  request.created_before === undefined &&
  request.updated_after === undefined &&
  request.updated_before === undefined;

/** A request with its values in the form that the columns have. */
export interface ListSearch {
  /** An absent filter is null. */
  readonly filters: Readonly<Record<FilterName, string | null>>;
  /** Undefined: by position, oldest first. */
  readonly column: SortColumn | undefined;
  readonly descending: boolean;
  readonly after: ListKey | undefined;
  readonly skip: number;
  readonly limit: number;
  /** The cursor after this item. */
  cursorAfter(key: ListKey): string;
}

export type FilterName =
  | "name"
  | "status"
  | "owner"
  | "created_after"
  | "created_before"
  | "updated_after"
  | "updated_before"
  | "search";

/** Where an item is in the order of the list: ties are ordered by position. */
export interface ListKey {
  readonly value: string;
  readonly position: number;
}

const sortColumns: Readonly<Record<string, SortColumn>> = {
  name: "name",
  status: "status",
  created: "created_at",
  updated: "updated_at",
};

/** Values of filters that are compared with a column, in the form in which the column stores texts. */
export type ColumnFilters = Pick<ListColumns, "name" | "created_by" | "search_text">;

/** `list` is the list that the cursor belongs to: a cursor of another list is refused. */
export function readListRequest(list: string, request: ListRequest, stored: ColumnFilters): ListSearch {
  const { sort, cursor, skip, limit } = request;
  const filters = {
    name: request.name === undefined ? null : stored.name,
    status: request.status ?? null,
    owner: request.owner === undefined ? null : stored.created_by,
    created_after: request.created_after ?? null,
    created_before: request.created_before ?? null,
    updated_after: request.updated_after ?? null,
    updated_before: request.updated_before ?? null,
    search: request.search === undefined ? null : stored.search_text,
  };
  const descending = sort?.startsWith("-") ?? false;
  const column = sort === undefined ? undefined : sortColumns[descending ? sort.slice(1) : sort];
  if (cursor !== undefined && skip > 0) {
    throw new InvalidRequest(["query", "skip"], "`skip` cannot be combined with `cursor`", skip);
  }
  if (column !== undefined && skip > maxSortedSkip) {
    const sentence = `\`skip\` of a sorted list is at most ${maxSortedSkip}. Use \`cursor\` to read further`;
    throw new InvalidRequest(["query", "skip"], sentence, skip);
  }
  const { environment = null } = request;
  const cursors = cursorsOf(list, environment, filters, sort ?? null);
  return {
    filters,
    column,
    descending,
    after: cursors.read(cursor),
    skip,
    limit,
    cursorAfter: cursors.write,
  };
}

/** The cursors of one list with its filters and its order. */
export function cursorsOf(...request: readonly unknown[]) {
  const purpose = hash("sha256", JSON.stringify(request)).slice(0, 16);
  return {
    /** Undefined: the first page. */
    read: (cursor: string | undefined): ListKey | undefined =>
      cursor === undefined || cursor === "" ? undefined : readCursor(cursor, purpose),
    write: ({ value, position }: ListKey): string =>
      `1.${Buffer.from(JSON.stringify([purpose, value, position])).toString("base64url")}`,
  };
}

/**
 * A cursor holds a key of the order and the request that it continues. It is checked and not signed: it only says where to
 * start, and every page is filtered by the caller's own scope.
 */
function readCursor(cursor: string, purpose: string): ListKey {
  const invalid = (sentence: string) => new InvalidRequest(["query", "cursor"], sentence, cursor);
  const [, encoded] = /^1\.([A-Za-z0-9_-]+)$/.exec(cursor) ?? [];
  const parts = encoded === undefined ? undefined : parsed(Buffer.from(encoded, "base64url").toString());
  if (!Array.isArray(parts) || parts.length !== 3) {
    throw invalid("This is not a cursor of this server. Send `next_cursor` of a previous page, unchanged");
  }
  const [madeFor, value, position] = parts;
  if (typeof value !== "string" || !Number.isSafeInteger(position) || value.includes("\0")) {
    throw invalid("This is not a cursor of this server. Send `next_cursor` of a previous page, unchanged");
  }
  if (madeFor !== purpose) {
    throw invalid("This cursor is for another list, other filters or another order. Start without a cursor");
  }
  return { value: value.toWellFormed(), position: position as number };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
