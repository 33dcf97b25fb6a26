import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { hrefOf, place } from "../../app/router.ts";
import {
  type CatalogTable,
  catalogPath,
  type TableName,
  useFoundTables,
  useSchemas,
  useSchemaTables,
} from "../../data/catalog.ts";
import { count } from "../../format/number.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Loading } from "../../ui/page.tsx";
import { SearchField } from "../../ui/search-field.tsx";

/**
 * The schemas that the user has opened or closed, by environment and name. Kept while the user goes from table to
 * table.
 */
const open = signal<ReadonlyMap<string, boolean>>(new Map());

interface CatalogTreeProps {
  readonly environment: string;
  readonly chosen: TableName | undefined;
}

/** Catalogs and schemas. The tables of a schema are read when it is opened. */
export function CatalogTree({ environment, chosen }: CatalogTreeProps): VNode {
  const search = place.value.query.get("search") ?? "";
  return (
    <nav class="tree card" aria-label="Tables">
      <SearchField label="Search tables" />
      {search === "" ? (
        <Schemas environment={environment} chosen={chosen} />
      ) : (
        <Found environment={environment} chosen={chosen} search={search} />
      )}
    </nav>
  );
}

function Schemas({ environment, chosen }: CatalogTreeProps): VNode {
  const { data, error, refresh } = useSchemas(environment);
  if (!data) return error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="the catalog" />;
  if (data.total === 0)
    return <p class="faint empty-tree">There is no table yet. A connector or a pipeline creates one.</p>;
  return (
    <ul class="tree-list">
      {data.catalogs.map((catalog) => (
        <li key={catalog}>
          <span class="tree-catalog">
            <Icon name="catalog" />
            {catalog}
          </span>
          <ul>
            {data.schemas
              .filter((one) => one.catalog === catalog)
              .map(({ name }) => (
                <Schema
                  key={name}
                  environment={environment}
                  chosen={chosen}
                  catalog={catalog}
                  schema={name}
                />
              ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function Schema({
  environment,
  chosen,
  catalog,
  schema,
}: CatalogTreeProps & { catalog: string; schema: string }): VNode {
  const key = JSON.stringify([environment, catalog, schema]);
  const isOfChosen = chosen?.catalog === catalog && chosen.schema === schema;
  const isOpen = open.value.get(key) ?? isOfChosen;
  const toggle = () => {
    open.value = new Map(open.value).set(key, !isOpen);
  };
  return (
    <li>
      <button type="button" class="tree-schema" aria-expanded={isOpen} onClick={toggle}>
        <Icon name={isOpen ? "down" : "right"} />
        {schema}
      </button>
      {isOpen && <SchemaTables environment={environment} chosen={chosen} catalog={catalog} schema={schema} />}
    </li>
  );
}

function SchemaTables({
  environment,
  chosen,
  catalog,
  schema,
}: CatalogTreeProps & { catalog: string; schema: string }): VNode {
  const { data, error, refresh } = useSchemaTables(environment, catalog, schema);
  if (!data) return error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="tables" />;
  return (
    <ul>
      {data.tables.map((table) => (
        <TableLink key={table.name} table={table} chosen={chosen} />
      ))}
      {data.tables.length === 0 && <li class="faint tree-note">no table</li>}
      {data.total > data.tables.length && (
        <li class="faint tree-note">{count(data.total - data.tables.length)} more: search for them</li>
      )}
    </ul>
  );
}

function Found({ environment, chosen, search }: CatalogTreeProps & { search: string }): VNode {
  const { data, error, refresh } = useFoundTables(environment, search);
  if (!data) return error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="tables" />;
  if (data.tables.length === 0) return <p class="faint empty-tree">No table fits “{search}”.</p>;
  return (
    <ul class="tree-list">
      {data.tables.map((table) => (
        <TableLink
          key={`${table.catalog}.${table.schema}.${table.name}`}
          table={table}
          chosen={chosen}
          search={search}
        />
      ))}
      {data.total > data.tables.length && (
        <li class="faint tree-note">{count(data.total - data.tables.length)} more</li>
      )}
    </ul>
  );
}

interface TableLinkProps {
  readonly table: CatalogTable;
  readonly chosen: TableName | undefined;
  /** The search text: if present, the item also shows its schema, and its link keeps the search. */
  readonly search?: string;
}

function TableLink({ table, chosen, search }: TableLinkProps): VNode {
  const isCurrent =
    chosen?.name === table.name && chosen.schema === table.schema && chosen.catalog === table.catalog;
  const query = search === undefined ? "" : `?search=${encodeURIComponent(search)}`;
  return (
    <li>
      <a
        class="tree-table"
        href={hrefOf(catalogPath(table) + query)}
        aria-current={isCurrent ? "page" : undefined}
        title={table.comment ?? undefined}
      >
        <span class="clip">{table.name}</span>
        {search !== undefined && (
          <span class="faint clip">
            {table.catalog}.{table.schema}
          </span>
        )}
      </a>
    </li>
  );
}
