import { type Kysely, sql } from "kysely";
import { Problem } from "../errors.ts";
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
    // One long text instead of a hundred: half the time of a list. The rows come ordered from the inner query.
    const joined = store.prepare((db, v: Values) =>
      db.selectFrom(page(db, v).as("page")).select(sql<string | null>`string_agg(doc, ',')`.as("joined")),
    );
    const size = store.prepare((db, v: Values) =>
      db.selectFrom(page(db, v).as("page")).select(sql<number | null>`sum(octet_length(doc))`.as("bytes")),
    );
    return { items, joined, size };
  };
  const ofAll = queries();
  const ofEnvironment = queries("environment_id");
  const ofOwner = queries("owner");
  const ofSome = new Map<number, ReturnType<typeof queries>>();
  const measured = createReadCache<true>(store.engine);

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

  /** A thousand documents of a megabyte would be a text that Node cannot hold. The lengths alone are read in no time. */
  async function requireSize({ name, query, values }: ReturnType<typeof chosen>): Promise<void> {
    // One document is never refused: an earlier version may have stored a larger one.
    if (values.limit === 1) return;
    const key = `${name} ${JSON.stringify(values)}`;
    if (measured.get(key)) return;
    const bytes = Number((await store.one(query.size(values)))?.bytes ?? 0);
    if (bytes > maxPageBytes) throw pageTooLarge();
    measured.set(key, true);
  }

  return {
    async items(scope: Scope, position: ListPosition, limit: number): Promise<string[]> {
      const page = chosen(scope, position, limit);
      await requireSize(page);
      return (await store.all(page.query.items(page.values))).map(({ doc }) => doc);
    },
    async joined(scope: Scope, position: ListPosition, limit: number): Promise<string> {
      const page = chosen(scope, position, limit);
      await requireSize(page);
      return (await store.one(page.query.joined(page.values)))?.joined ?? "";
    },
  };
}
