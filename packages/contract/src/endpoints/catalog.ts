import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { GlossaryUpdateInput } from "./codegen.ts";
import { listQuery, memoryListFields, nextCursor } from "./lists.ts";
import { environmentHeader, message, paging } from "./shared.ts";

const annotations = {
  comment: s.string().nullable().describe("The description; null: none."),
  tags: s.map(s.string()).describe("Tags by name. A tag without a value has an empty text."),
};

const CatalogTable = s.model("CatalogTable", {
  catalog: s.string().describe("Name of its catalog."),
  schema: s.string().describe("Name of its schema."),
  name: s.string().describe("Name of the table or view, without catalog and schema."),
  kind: s.literal("table", "view").describe("Whether it stores rows or is computed when it is read."),
  ...annotations,
  rows: s
    .integer()
    .nullable()
    .describe("Number of rows; null if it is not known without counting, as for views."),
  columns: s
    .list(
      s.model("CatalogColumn", {
        name: s.string().describe("Name of the column."),
        type: s.string().describe("In Databricks SQL: `STRING`, `DECIMAL(12,2)`."),
        nullable: s.boolean().describe("Whether it may contain NULL."),
        ...annotations,
      }),
    )
    .describe("In the order of the table."),
});

const shared = { tag: "Warehouse", headers: environmentHeader, errors: [404, 409], needsData: true } as const;

const orders = {
  catalog: "shop",
  schema: "sales",
  name: "orders",
  kind: "table",
  comment: "One row for each order",
  tags: { domain: "sales" },
  rows: 128,
  columns: [
    { name: "order_id", type: "BIGINT", nullable: false, comment: null, tags: {} },
    {
      name: "email",
      type: "STRING",
      nullable: true,
      comment: "Where the receipt went",
      tags: { pii: "true" },
    },
  ],
};

export const readCatalog = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/catalog",
  scope: "header",
  summary: "Read the warehouse's catalog",
  description:
    "Returns catalogs, schemas, and tables ordered by name. Filter them by catalog, schema and table.",
  access: "viewer",
  query: {
    catalog: s.string().optional().describe("Only this catalog, its schemas and its tables. In any case."),
    schema: s.string().optional().describe("Only schemas of this name and their tables. In any case."),
    table: s.string().optional().describe("Only tables and views of this name. In any case."),
    ...listQuery(memoryListFields.tables),
    skip: paging.skip.describe("Number of tables to skip, ordered by name."),
    limit: paging.limit.describe("Maximum number of tables to return."),
  },
  response: s.model("Catalog", {
    catalogs: s.list(s.string()).describe("Names of the catalogs, or the one that `catalog` names."),
    schemas: s
      .list(
        s.model("CatalogSchema", {
          catalog: s.string().describe("Name of its catalog."),
          name: s.string().describe("Name of the schema, without the catalog."),
        }),
      )
      .describe("The schemas that match `catalog` and `schema`."),
    tables: s.list(CatalogTable).describe("The tables and views on this page."),
    total: s.integer().describe("Number of tables that match."),
    next_cursor: nextCursor(),
  }),
  example: {
    response: {
      catalogs: ["shop"],
      schemas: [{ catalog: "shop", name: "sales" }],
      tables: [orders],
      total: 1,
    },
  },
});

const MetadataArtifact = s.model("MetadataArtifact", {
  artifact: s.string().describe("The content of an `alter.sql` or `undo.sql` from code generation."),
});

const MetadataInput = s.choice(
  "MetadataInput",
  (raw) => (s.has(raw, "artifact") ? 1 : 0),
  GlossaryUpdateInput,
  MetadataArtifact,
);

export const changeMetadata = endpoint({
  ...shared,
  method: "POST",
  path: "/api/v1/catalog/metadata",
  scope: "header",
  summary: "Change descriptions and tags",
  description:
    "Takes the body of `/api/v1/codegen/alter-metadata`, or the content of an artifact that it generated. Applies the whole change or nothing.",
  access: "operator",
  effect: "changes tables of a warehouse",
  body: MetadataInput,
  response: s.model("MetadataChanged", {
    changed: s.boolean().describe("False if nothing had to change."),
    message: message(),
  }),
  example: {
    body: {
      catalog_name: "shop",
      schema_name: "sales",
      table_name: "orders",
      change: { table_description: "One row for each order", columns: [] },
    },
    response: { changed: true, message: "Descriptions and tags of shop.sales.orders are changed." },
  },
});
