import { setImmediate } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { createSemaphore } from "../concurrency/semaphore.ts";
import { Problem } from "../errors.ts";
import { fitting } from "./lineage-rows.ts";
import { type ListParameters, listParameters, listSlots } from "./list-parameters.ts";
import type { ListPosition } from "./positions.ts";
import { createReadCache } from "./read-cache.ts";
import type { Store } from "./store.ts";
import type { ResourceTableName, Tables } from "./tables.ts";

/** Which list: of all, of one or some environments, or of one owner (an automation's attempts, a user's tokens). */
export type Scope = {
  readonly environmentId?: string | undefined;
  readonly environmentIds?: readonly string[] | undefined;
  readonly owner?: string | undefined;
};

type Values = { of: string; from: number; limit: number; pass: number } & ListParameters;

/** A page with more bytes is read in parts: reading, joining and decoding it at once would take 50 ms and more. */
export const maxAtOnce = 2 * 1024 * 1024;
/** How many pages of that size may be read or wait to be read. */
const maxWaiting = 8;
const never = new AbortController().signal;
const tooManyLargePages = () =>
  new Problem(
    "unavailable",
    "The server reads too many large pages. Try again, or ask for smaller ones with limit.",
    {
      retryAfterSeconds: 1,
    },
  );
const maxPageMb = 16;
export const maxPageBytes = maxPageMb * 1024 * 1024;
export const pageTooLarge = () =>
  new Problem("tooLarge", `This page has more than ${maxPageMb} MB. Send a smaller \`limit\`.`);

/** The documents of a resource in position order, from a position on. */
export function listOf(store: Store, table: ResourceTableName) {
  const queries = (column?: "environment_id" | "owner", environments = 0) => {
    const page = (db: Kysely<Tables>, v: Values) => {
      const all = db.selectFrom(table).select("doc").where("position", ">=", v.from);
      const one = column ? all.where(column, "=", v.of) : all;
      const scoped = environments > 0 ? all.where("environment_id", "in", listSlots(v, environments)) : one;
      return scoped.orderBy("position").limit(v.limit).offset(v.pass);
    };
    const items = store.prepare(page);
    // One long text instead of a hundred texts halves the time of a list. The rows come ordered from the inner query.
    const joined = store.prepare((db, v: Values) =>
      db.selectFrom(page(db, v).as("page")).select(sql<string | null>`string_agg(doc, ',')`.as("joined")),
    );
    const size = store.prepare((db, v: Values) =>
      db.selectFrom(page(db, v).as("page")).select(sql<number | null>`sum(octet_length(doc))`.as("bytes")),
    );
    const lengths = store.prepare((db, v: Values) =>
      db.selectFrom(page(db, v).as("page")).select(sql<number>`octet_length(doc)`.as("length")),
    );
    return { items, joined, size, lengths };
  };
  const ofAll = queries();
  const ofEnvironment = queries("environment_id");
  const ofOwner = queries("owner");
  const ofSome = new Map<number, ReturnType<typeof queries>>();
  const measured = createReadCache<number>(store.engine);
  const largePages = createSemaphore(1);
  let waiting = 0;

  function chosen(
    { environmentId, environmentIds, owner }: Scope,
    { from, pass }: ListPosition,
    limit: number,
  ) {
    const values = { of: environmentId ?? owner ?? "", from, limit, pass };
    if (environmentIds) {
      const { size, parameters } = listParameters(environmentIds);
      const query = ofSome.getOrInsertComputed(size, (count) => queries(undefined, count));
      return { name: "some", query, values: { ...values, ...parameters } };
    }
    if (environmentId !== undefined) return { name: "environment", query: ofEnvironment, values };
    return owner === undefined
      ? { name: "all", query: ofAll, values }
      : { name: "owner", query: ofOwner, values };
  }

  /**
   * The bytes of a page. A thousand documents of a megabyte would be a text that Node cannot hold. Reading the lengths
   * alone is fast.
   */
  async function sizeOf({ name, query, values }: ReturnType<typeof chosen>): Promise<number> {
    const key = `${name} ${JSON.stringify(values)}`;
    const known = measured.get(key);
    if (known !== undefined) return known;
    const bytes = Number((await store.one(query.size(values)))?.bytes ?? 0);
    // One document is never refused: an earlier version may have stored a larger one.
    if (bytes > maxPageBytes && values.limit > 1) throw pageTooLarge();
    measured.set(key, bytes);
    return bytes;
  }

  async function inParts({ query, values }: ReturnType<typeof chosen>): Promise<string[]> {
    const found: string[] = [];
    for (let read = 0; read < values.limit; ) {
      const part = { ...values, pass: values.pass + read };
      const lengths = await store.all(query.lengths({ ...part, limit: Math.min(values.limit - read, 250) }));
      const docs = await store.all(query.items({ ...part, limit: fitting(lengths) }));
      if (docs.length === 0) break;
      for (const { doc } of docs) found.push(doc);
      read += docs.length;
      await setImmediate();
    }
    return found;
  }

  /**
   * Large pages are read one after the other: two hundred pages of 15 MB at once would hold up all callers for 12
   * seconds, even if each is read in parts.
   */
  async function inTurn(page: ReturnType<typeof chosen>): Promise<string[]> {
    if (waiting >= maxWaiting) throw tooManyLargePages();
    waiting += 1;
    try {
      return await largePages(never, () => inParts(page));
    } finally {
      waiting -= 1;
    }
  }

  return {
    async items(scope: Scope, position: ListPosition, limit: number): Promise<string[]> {
      const page = chosen(scope, position, limit);
      if ((await sizeOf(page)) > maxAtOnce) return inTurn(page);
      return (await store.all(page.query.items(page.values))).map(({ doc }) => doc);
    },
    async joined(scope: Scope, position: ListPosition, limit: number): Promise<string> {
      const page = chosen(scope, position, limit);
      if ((await sizeOf(page)) > maxAtOnce) return (await inTurn(page)).join(",");
      return (await store.one(page.query.joined(page.values)))?.joined ?? "";
    },
  };
}
