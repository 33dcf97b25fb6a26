import { sql } from "kysely";
import { type ListParameters, listParameters, listSlots } from "./list-parameters.ts";
import type { Step, Store } from "./store.ts";
import type { ResourceTableName } from "./tables.ts";

/**
 * Paging by `skip` without reading the skipped rows. Each resource has a position, assigned in commit order; tallies
 * count the existing rows in every range of 100, 10,000 and 1,000,000 positions. A page reads at most a hundred tallies
 * of each width, and its total is the sum of the widest.
 */
export const widths = [1_000_000, 10_000, 100] as const;

export interface ListPosition {
  /** The position to read from, and how many rows to skip from there (fewer than 100). */
  readonly from: number;
  readonly pass: number;
}

export interface Positions {
  /** The statements that assign the next position to a row; the row's insert reads it. */
  take(scopes: readonly string[], id: string): Step[];
  /** The statements that release the position of a row that is about to be deleted. */
  release(scopes: readonly string[], id: string): Step[];
  /** The statement that deletes the tallies of a list. */
  forget(scope: string): Step;
  /** The number of rows of one list, or of several lists that have no row in common. */
  total(scopes: readonly string[]): Promise<number>;
  find(scopes: readonly string[], skip: number): Promise<ListPosition | undefined>;
}

export function positionsOf(store: Store, table: ResourceTableName): Positions {
  const advance = store.prepare((db, v: { list: string }) =>
    db
      .updateTable("positions")
      .set((eb) => ({ next: eb("next", "+", 1) }))
      .where("list", "=", v.list),
  );
  /** One statement counts a row in each of its lists. */
  const count = (lists: number) =>
    store.prepare((db, v: Record<number, string>) => {
      const bucket = (width: number) =>
        sql<number>`(select next / ${sql.lit(width)} from positions where list = ${sql.lit(table)})`;
      const inList = (at: number) =>
        widths.map((width) => ({
          list: v[at] as string,
          width: sql.lit(width),
          bucket: bucket(width),
          n: sql.lit(1),
        }));
      return db
        .insertInto("tallies")
        .values(Array.from({ length: lists }, (_, at) => inList(at)).flat())
        .onConflict((oc) =>
          oc.columns(["list", "width", "bucket"]).doUpdateSet({ n: sql<number>`tallies.n + 1` }),
        );
    });
  const counts = new Map<number, ReturnType<typeof count>>();
  // One statement for each width, the widest first: in the order in which `count` locks them.
  const discounts = widths.map((width) =>
    store.prepare((db, v: { list: string; id: string }) =>
      db
        .updateTable("tallies")
        .set((eb) => ({ n: eb("n", "-", 1) }))
        .where("list", "=", v.list)
        .where("width", "=", sql.lit(width))
        .where(
          "bucket",
          "=",
          sql<number>`(select position / ${sql.lit(width)} from ${sql.table(table)} where id = ${v.id})`,
        ),
    ),
  );
  const forget = store.prepare((db, v: { list: string }) =>
    db.deleteFrom("tallies").where("list", "=", v.list),
  );
  type Stretch = { list: string; width: number; from: number; to: number; limit: number };
  const tallies = store.prepare((db, v: Stretch) =>
    db
      .selectFrom("tallies")
      .select(["bucket", "n"])
      .where("list", "=", v.list)
      .where("width", "=", v.width)
      .where("bucket", ">=", v.from)
      .where("bucket", "<", v.to)
      .orderBy("bucket")
      .limit(v.limit),
  );
  type Ranges = Omit<Stretch, "list"> & ListParameters;
  /** The same for several lists together. */
  const tallyOf = (size: number) => ({
    tallies: store.prepare((db, v: Ranges) =>
      db
        .selectFrom("tallies")
        .select((eb) => ["bucket", eb.fn.sum<number>("n").as("n")])
        .where("list", "in", listSlots(v, size))
        .where("width", "=", v.width)
        .where("bucket", ">=", v.from)
        .where("bucket", "<", v.to)
        .groupBy("bucket")
        .orderBy("bucket")
        .limit(v.limit),
    ),
    sum: store.prepare((db, v: ListParameters) =>
      db
        .selectFrom("tallies")
        .select((eb) => eb.fn.sum<number | null>("n").as("n"))
        .where("list", "in", listSlots(v, size))
        .where("width", "=", widths[0]),
    ),
  });
  const several = new Map<number, ReturnType<typeof tallyOf>>();
  const sum = store.prepare((db, v: { list: string }) =>
    db
      .selectFrom("tallies")
      .select((eb) => eb.fn.sum<number | null>("n").as("n"))
      .where("list", "=", v.list)
      .where("width", "=", widths[0]),
  );

  const list = (scope: string) => `${table}/${scope}`;

  function talliesOf(lists: readonly string[], stretch: Omit<Stretch, "list">) {
    const [only, ...others] = lists;
    if (only !== undefined && others.length === 0) return store.all(tallies({ ...stretch, list: only }));
    const { size, parameters } = listParameters(lists);
    const query = several.getOrInsertComputed(size, tallyOf).tallies;
    return store.all(query({ ...stretch, ...parameters }));
  }

  /**
   * The bucket that holds the row after `skipped` others. First reads as many buckets as that takes if all are full.
   */
  async function holderOf(lists: readonly string[], stretch: Omit<Stretch, "list">, skipped: number) {
    let pass = skipped;
    let { from } = stretch;
    for (let limit = Math.floor(pass / stretch.width) + 1; ; limit *= 2) {
      const found = await talliesOf(lists, { ...stretch, from, limit });
      for (const { bucket, n } of found) {
        if (pass < Number(n)) return { bucket, pass };
        pass -= Number(n);
        from = bucket + 1;
      }
      if (found.length < limit) return undefined;
    }
  }

  return {
    take(scopes, id) {
      const tally = counts.getOrInsertComputed(scopes.length, count);
      const lists = scopes.map(list);
      return [
        { ...advance({ list: table }), expect: 1 },
        { ...tally({ ...lists }), counts: { table, id, lists } },
      ];
    },
    release: (scopes, id) =>
      scopes.flatMap((scope) => discounts.map((discount) => discount({ list: list(scope), id }))),
    forget: (scope) => forget({ list: list(scope) }),
    async total(scopes) {
      const [only, ...others] = scopes.map(list);
      if (only === undefined) return 0;
      if (others.length === 0) return Number((await store.one(sum({ list: only })))?.n ?? 0);
      const { size, parameters } = listParameters([only, ...others]);
      const query = several.getOrInsertComputed(size, tallyOf).sum;
      return Number((await store.one(query(parameters)))?.n ?? 0);
    },
    async find(scopes, skip) {
      let position: ListPosition = { from: 0, pass: skip };
      if (skip === 0) return position;
      for (const [level, width] of widths.entries()) {
        const from = position.from / width;
        const to = level === 0 ? Number.MAX_SAFE_INTEGER : from + (widths[level - 1] as number) / width;
        const lists = scopes.map(list);
        const holder = await holderOf(lists, { width, from, to, limit: 0 }, position.pass);
        if (!holder) return undefined;
        position = { from: holder.bucket * width, pass: holder.pass };
      }
      return position;
    },
  };
}
