import type { endpoints, TableLineage } from "@lakehelm/contract";
import type { ClientResult } from "@lakehelm/contract/client";
import { api } from "../app/client.ts";
import { type QueryResult, readAgain, useQuery } from "../app/queries.ts";

type Catalog = ClientResult<typeof endpoints.readCatalog>;
export type CatalogTable = Catalog["tables"][number];
export type CatalogColumn = CatalogTable["columns"][number];

/** The parts of a table's name. */
export interface TableName {
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
}

export const catalogPath = ({ catalog, schema, name }: TableName): string =>
  `/catalog/${[catalog, schema, name].map(encodeURIComponent).join("/")}`;

/** Runs create and change tables. A page that changes a description refreshes the catalog itself. */
const on = [{ kind: "run.*" }, { kind: "environment.*" }, { kind: "table.*" }];

interface CatalogFilter {
  readonly catalog?: string;
  readonly schema?: string;
  readonly table?: string;
  readonly search?: string;
  readonly limit?: number;
}

function useCatalog(environment: string, filter: CatalogFilter, enabled = true): QueryResult<Catalog> {
  return useQuery({
    key: ["catalog", environment, filter],
    read: (signal) => api.readCatalog({ query: filter, environment, signal }),
    enabled,
    on,
  });
}

/** Catalogs and schemas, without their tables. */
export const useSchemas = (environment: string) => useCatalog(environment, { limit: 1 });

/** The most tables that one request returns. */
const most = 1000;
export const useSchemaTables = (environment: string, catalog: string, schema: string) =>
  useCatalog(environment, { catalog, schema, limit: most });

export const useFoundTables = (environment: string, search: string) =>
  useCatalog(environment, { search, limit: 100 }, search !== "");

export const useTable = (environment: string, { catalog, schema, name }: TableName) =>
  useCatalog(environment, { catalog, schema, table: name });

/** The full name as quoted SQL. */
export const fullName = ({ catalog, schema, name }: TableName): string =>
  [catalog, schema, name].map((part) => `\`${part.replaceAll("`", "``")}\``).join(".");

/** The sources of a table and everything that depends on it. `table` is the name as written in SQL. */
export function useLineage(environment: string, table: string) {
  return useQuery<TableLineage>({
    key: ["lineage", environment, table],
    read: (signal) => api.getTableLineage({ query: { table }, environment, signal }),
    on: [...on, { kind: "connector.*" }, { kind: "flow.*" }, { kind: "pipeline.*" }],
  });
}

/** The first 50 rows. */
export function useSample(environment: string, table: TableName) {
  const sql = `SELECT * FROM ${fullName(table)} LIMIT 50`;
  return useQuery({
    key: ["sample", environment, sql],
    read: (signal) => api.runQuery({ body: { sql }, environment, signal }),
    on: [{ kind: "run.*" }, { kind: "table.*" }],
  });
}

/** Call after a change by this page. */
export const refreshCatalog = (): void => readAgain(({ queryKey }) => queryKey[0] === "catalog");
