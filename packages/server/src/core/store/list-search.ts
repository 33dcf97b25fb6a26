import { type Compilable, type Kysely, type RawBuilder, sql } from "kysely";
import { type ListParameters, listParameters, listSlots } from "./list-parameters.ts";
import type { FilterName, ListKey, ListSearch, SortColumn } from "./list-request.ts";
import { maxAtOnce, maxPageBytes, pageTooLarge, type Scope } from "./list-scope.ts";
import type { Store } from "./store.ts";
import type { ResourceTableName, Tables } from "./tables.ts";

/** A list that may also be limited to some ids, and to several scopes at once. */
export type SearchScope = Scope & { readonly ids?: readonly string[] | undefined };

interface FoundPage {
  readonly items: string[];
  readonly total: number;
  readonly next: string | null;
}

/**
 * SQLite reads in this thread, so a search reads this many positions (about a millisecond), then lets others run.
 * PostgreSQL reads all of them in one statement.
 */
const stretch = 1_000;

const never = new AbortController().signal;

/** The shape of a statement. There are few shapes, because the reader keeps each statement prepared. */
interface Shape {
  readonly column: SortColumn | undefined;
  readonly descending: boolean;
  /** The number of environments or ids that the list is limited to; 0: all. */
  readonly within: number;
  readonly withinColumn: "environment_id" | "id";
}

/** A null disables a condition. */
type Conditions = Record<FilterName | "environment" | "parent", string | null>;
type Values = Conditions &
  ListParameters & {
    from: number;
    to: number;
    value: string | null;
    position: number;
    limit: number;
    pass: number;
  };

/**
 * Filtered and sorted lists. They are found in an index that has all list columns, in bounded time for each statement; the
 * documents of the page are read afterwards, by position.
 */
export function searchOf(store: Store, table: ResourceTableName) {
  const isSqlite = store.engine.name === "sqlite";
  const statements = new Map<string, ReturnType<typeof prepared>>();
  const documents = new Map<number, ReturnType<typeof byPosition>>();
  const lastPosition = store.prepare((db, v: { list: string }) =>
    db.selectFrom("positions").select("next").where("list", "=", v.list),
  );

  function prepared(shape: Shape) {
    const { column } = shape;
    const count = store.prepare((db, v: Values) =>
      compilable<{ n: number }>(
        db,
        sql`select count(*) as n from ${sql.table(table)} where ${matching(v, shape, isSqlite)}`,
      ),
    );
    const [order, beyond] = shape.descending
      ? [sql.raw("desc"), sql.raw("<")]
      : [sql.raw("asc"), sql.raw(">")];
    const keys = store.prepare((db, v: Values) => {
      const sorted = column && sql.ref(column);
      const rest = sorted
        ? sql`(cast(${v.value} as text) is null or (${sorted}, position) ${beyond} (${v.value}, ${v.position}))`
        : sql`position > ${v.position}`;
      return compilable<ListKey>(
        db,
        sql`select position, ${sorted ?? sql.raw("''")} as value from ${sql.table(table)}
          where ${matching(v, shape, isSqlite)} and ${rest}
          order by ${sorted ? sql`${sorted} ${order}, position ${order}` : sql`position`}
          limit ${v.limit} offset ${v.pass}`,
      );
    });
    return { count, keys };
  }

  function byPosition(size: number) {
    const rows = (db: Kysely<Tables>, v: ListParameters<number>) =>
      db.selectFrom(table).where("position", "in", listSlots(v, size));
    return {
      docs: store.prepare((db, v: ListParameters<number>) => rows(db, v).select(["position", "doc"])),
      size: store.prepare((db, v: ListParameters<number>) =>
        rows(db, v).select(sql<number | null>`sum(octet_length(doc))`.as("bytes")),
      ),
    };
  }

  /** The documents at these positions, in this order. */
  async function read(positions: readonly number[]): Promise<string[]> {
    if (positions.length === 0) return [];
    const { size, parameters } = listParameters(positions);
    const query = documents.getOrInsertComputed(size, byPosition);
    if (positions.length > 1) {
      // The repeated values of an `in` list count once.
      const bytes = Number((await store.one(query.size(parameters)))?.bytes ?? 0);
      if (bytes > maxPageBytes) throw pageTooLarge();
      if (bytes > maxAtOnce) {
        const found: string[] = [];
        for (const position of positions) {
          found.push(...(await read([position])));
          await new Promise((next) => setImmediate(next));
        }
        return found;
      }
    }
    const found = await store.all(query.docs(parameters));
    const docs = new Map(found.map(({ position, doc }) => [position, doc]));
    return positions.flatMap((position) => docs.get(position) ?? []);
  }

  async function* stretches(): AsyncGenerator<Pick<Values, "from" | "to">> {
    if (!isSqlite) return yield { from: -1, to: Number.MAX_SAFE_INTEGER };
    const end = Number((await store.one(lastPosition({ list: table })))?.next ?? 0);
    for (let from = -1; from <= end; from += stretch) {
      yield { from, to: from + stretch };
      await new Promise((next) => setImmediate(next));
    }
  }

  async function find(scope: SearchScope, request: ListSearch): Promise<FoundPage> {
    const { column, descending, filters, after, skip, limit } = request;
    const within = scope.ids ?? scope.environmentIds;
    if (within?.length === 0) return { items: [], total: 0, next: null };
    const slots = within && listParameters(within);
    const withinColumn = scope.ids ? "id" : "environment_id";
    const shape = { column, descending, within: slots?.size ?? 0, withinColumn } as const;
    const query = statements.getOrInsertComputed(JSON.stringify(shape), () => prepared(shape));
    const values = {
      ...slots?.parameters,
      ...filters,
      environment: scope.environmentId ?? null,
      parent: scope.owner ?? null,
      value: after?.value ?? null,
      position: after?.position ?? -1,
    };
    const wanted = limit + 1;
    let keys: ListKey[] = [];
    let total = 0;
    for await (const range of stretches()) {
      const bound = { ...values, ...range };
      const passed = total;
      const n = Number((await store.one(query.count({ ...bound, limit: 0, pass: 0 })))?.n ?? 0);
      total += n;
      if (n === 0) continue;
      if (column !== undefined) {
        const found = await store.all(query.keys({ ...bound, limit: skip + wanted, pass: 0 }));
        keys = merged(keys, found, descending, skip + wanted);
      } else if (keys.length < wanted && total > skip) {
        const pass = Math.max(0, skip - passed);
        keys.push(...(await store.all(query.keys({ ...bound, limit: wanted - keys.length, pass }))));
      }
    }
    const page = column === undefined ? keys : keys.slice(skip);
    const more = page.length > limit;
    const shown = page.slice(0, limit);
    const final = shown.at(-1);
    return {
      items: await read(shown.map(({ position }) => position)),
      total,
      next: more && final ? request.cursorAfter(final) : null,
    };
  }

  return (scope: SearchScope, request: ListSearch): Promise<FoundPage> =>
    isSqlite ? store.searchPermit(never, () => find(scope, request)) : find(scope, request);
}

function matching(v: Values, { within, withinColumn }: Shape, isSqlite: boolean): RawBuilder<unknown> {
  const given = (value: string | null, condition: RawBuilder<unknown>) =>
    sql`(cast(${value} as text) is null or ${condition})`;
  const contains = sql.raw(isSqlite ? "instr" : "strpos");
  const conditions = [
    sql`position > ${v.from} and position <= ${v.to}`,
    given(v.environment, sql`environment_id = ${v.environment}`),
    given(v.parent, sql`owner = ${v.parent}`),
    given(v.name, sql`name = ${v.name}`),
    given(v.status, sql`status = ${v.status}`),
    given(v.owner, sql`created_by = ${v.owner}`),
    given(v.created_after, sql`created_at >= ${v.created_after}`),
    given(v.created_before, sql`created_at < ${v.created_before}`),
    given(v.updated_after, sql`updated_at >= ${v.updated_after}`),
    given(v.updated_before, sql`updated_at < ${v.updated_before}`),
    given(v.search, sql`${contains}(search_text, ${v.search}) > 0`),
  ];
  if (within > 0) conditions.push(sql`${sql.ref(withinColumn)} in (${sql.join(listSlots(v, within))})`);
  return sql.join(conditions, sql` and `);
}

const compilable = <Row>(db: Kysely<Tables>, query: RawBuilder<unknown>): Compilable<Row> => ({
  compile: () => query.compile(db) as ReturnType<Compilable<Row>["compile"]>,
});

/**
 * The first `most` keys of two sorted lists, in the order of the database: by bytes of UTF-8, which is by code points.
 */
function merged(a: readonly ListKey[], b: readonly ListKey[], descending: boolean, most: number): ListKey[] {
  const sign = descending ? -1 : 1;
  const both: ListKey[] = [];
  let i = 0;
  let j = 0;
  while (both.length < most) {
    const x = a[i];
    const y = b[j];
    if (x && (!y || sign * (compareCodePoints(x.value, y.value) || x.position - y.position) < 0)) {
      both.push(x);
      i++;
    } else if (y) {
      both.push(y);
      j++;
    } else break;
  }
  return both;
}

export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  // Inside a surrogate pair, the comparison starts at its first half.
  const start = at > 0 && isLowSurrogate(a.charCodeAt(at), b.charCodeAt(at)) ? at - 1 : at;
  return (a.codePointAt(start) ?? -1) - (b.codePointAt(start) ?? -1);
}

const isLowSurrogate = (...units: number[]) => units.some((unit) => unit >= 0xdc00 && unit <= 0xdfff);
