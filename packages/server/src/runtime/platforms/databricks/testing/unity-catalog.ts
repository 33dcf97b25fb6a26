import { FakeError, type Routes } from "./route.ts";

interface FakeTable {
  readonly type?: string;
  comment?: string;
  readonly columns: readonly { readonly name: string; readonly type: string; comment?: string }[];
}

export interface FakeUnityCatalog {
  readonly routes: Routes;
  /** `catalog.schema.table` → the table. */
  readonly tables: Map<string, FakeTable>;
  /** `tables/catalog.schema.table` or `columns/catalog.schema.table.column` → tags. */
  readonly tags: Map<string, Record<string, string>>;
  /** Catalogs and `catalog.schema`, also those without tables. */
  readonly schemas: Set<string>;
  /** The privileges of everyone on every schema. */
  privileges: string[];
  /** What a statement does to the description or the tags of a table. */
  apply(sql: string): void;
}

/** Unity Catalog with pages of two items. */
export function fakeUnityCatalog(): FakeUnityCatalog {
  const missing = (what: string, name: string) =>
    new FakeError(404, "RESOURCE_DOES_NOT_EXIST", `${what} '${name}' does not exist.`);
  const page = (key: string, items: readonly object[], token: string | undefined) => {
    const start = Number(token ?? 0);
    const more = start + 2 < items.length ? { next_page_token: String(start + 2) } : {};
    const shown = items.slice(start, start + 2);
    return { ...(shown.length > 0 && { [key]: shown }), ...more };
  };
  const catalogs = () => [...new Set([...unity.schemas].map((name) => name.split(".")[0] ?? ""))].sort();
  const schemasOf = (catalog: string) =>
    [...unity.schemas].filter((name) => name.startsWith(`${catalog}.`)).sort();

  function describe(fullName: string) {
    const table = unity.tables.get(fullName);
    if (!table) throw missing("Table", fullName);
    const [catalog_name, schema_name, name] = fullName.split(".");
    const columns = table.columns.map(({ name, type, comment }, position) => ({
      name,
      type_text: type.toLowerCase(),
      nullable: true,
      position,
      ...(comment && { comment }),
    }));
    return {
      name,
      catalog_name,
      schema_name,
      table_type: table.type ?? "MANAGED",
      ...(table.comment && { comment: table.comment }),
      columns,
    };
  }

  const base = "/api/2.1/unity-catalog";
  const routes: Routes = {
    [`GET ${base}/catalogs`]: ({ query }) =>
      page(
        "catalogs",
        catalogs().map((name) => ({ name })),
        query.page_token,
      ),
    [`GET ${base}/catalogs/{name}`]: ({ params: { name = "" } }) => {
      if (!catalogs().includes(name)) throw missing("Catalog", name);
      return { name, owner: "admins" };
    },
    [`GET ${base}/schemas`]: ({ query }) => {
      if (!catalogs().includes(query.catalog_name ?? "")) throw missing("Catalog", query.catalog_name ?? "");
      const names = [...schemasOf(query.catalog_name ?? ""), `${query.catalog_name}.information_schema`];
      const items = names.map((full_name) => ({ full_name, name: full_name.split(".")[1] }));
      return page("schemas", items, query.page_token);
    },
    [`GET ${base}/schemas/{name}`]: ({ params: { name = "" } }) => {
      if (!unity.schemas.has(name)) throw missing("Schema", name);
      return { full_name: name, name: name.split(".")[1], owner: "admins" };
    },
    [`GET ${base}/effective-permissions/schema/{name}`]: ({ query }) => ({
      privilege_assignments: [
        { principal: query.principal, privileges: unity.privileges.map((privilege) => ({ privilege })) },
      ],
    }),
    [`GET ${base}/tables`]: ({ query }) => {
      const prefix = `${query.catalog_name}.${query.schema_name}.`;
      const names = [...unity.tables.keys()].filter((name) => name.startsWith(prefix)).sort();
      return page("tables", names.map(describe), query.page_token);
    },
    [`GET ${base}/tables/{name}`]: ({ params: { name = "" } }) => describe(name),
    [`GET ${base}/entity-tag-assignments/{kind}/{name}/tags`]: ({ params, query }) => {
      const tags = Object.entries(unity.tags.get(`${params.kind}/${params.name}`) ?? {});
      const items = tags.map(([tag_key, tag_value]) => ({ tag_key, tag_value }));
      return page("tag_assignments", items, query.page_token);
    },
  };
  const unity: FakeUnityCatalog = {
    routes,
    tables: new Map(),
    tags: new Map(),
    schemas: new Set(["main.default"]),
    privileges: ["ALL_PRIVILEGES"],
    apply(sql) {
      const [, named = "", text] = /^COMMENT ON TABLE (\S+) IS (?:'(.*)'|NULL)$/.exec(sql) ?? [];
      const table = unity.tables.get(named);
      if (table) table.comment = text?.replaceAll("\\'", "'") ?? "";
      const [, tagged, verb, key = "", value = ""] =
        /^ALTER TABLE (\S+) (SET|UNSET) TAGS \('(\w+)'(?: = '(\w*)')?\)$/.exec(sql) ?? [];
      if (tagged === undefined) return;
      const { [key]: _, ...others } = unity.tags.get(`tables/${tagged}`) ?? {};
      unity.tags.set(`tables/${tagged}`, verb === "SET" ? { ...others, [key]: value } : others);
    },
  };
  return unity;
}
