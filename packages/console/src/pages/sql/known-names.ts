import { api } from "../../app/client.ts";
import { queryClient } from "../../app/queries.ts";
import type { KnownNames } from "./suggest.ts";

/** With more tables than this, completion asks the server for the matching ones. */
const most = 500;

/** The names of an environment's catalog, read when completion first needs them and again after a change of a table. */
export function knownNamesOf(environment: string): KnownNames {
  const read = (query: Parameters<typeof api.readCatalog>[0] & {}) =>
    queryClient
      .fetchQuery({
        queryKey: ["catalog names", environment, query],
        queryFn: ({ signal }) => api.readCatalog({ ...query, environment, signal }),
        meta: { on: [{ kind: "table.*" }, { kind: "run.*" }] },
      })
      // Without the catalog, completion still offers keywords and functions.
      .catch(() => ({ catalogs: [], schemas: [], tables: [], total: 0 }));
  const all = () => read({ query: { limit: most } });
  return {
    catalogs: async () => (await all()).catalogs,
    schemas: async () => (await all()).schemas,
    async tables(text) {
      const first = await all();
      if (first.total <= most || text === "") return first.tables;
      return (await read({ query: { search: text, limit: 100 } })).tables;
    },
    async named(parts) {
      const [table = "", schema, catalog] = parts.toReversed();
      const wanted = { table, ...(schema && { schema }), ...(catalog && { catalog }) };
      const first = await all();
      if (first.total > most) return (await read({ query: { ...wanted, limit: 5 } })).tables;
      const isSame = (one: string, other: string | undefined) =>
        other === undefined || one.toLowerCase() === other.toLowerCase();
      return first.tables.filter(
        (one) => isSame(one.name, table) && isSame(one.schema, schema) && isSame(one.catalog, catalog),
      );
    },
  };
}
