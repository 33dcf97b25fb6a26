import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { GlossaryUpdateInput } from "./codegen.ts";
import { environmentHeader, paging } from "./shared.ts";

const annotations = {
  comment: s.string().nullable(),
  tags: s.map(s.string()),
};

const CatalogTable = s.model("CatalogTable", {
  catalog: s.string(),
  schema: s.string(),
  name: s.string(),
  kind: s.literal("table", "view"),
  ...annotations,
  rows: s.integer().nullable().describe("Number of rows; null for views, which would have to run."),
  columns: s.list(
    s.model("CatalogColumn", {
      name: s.string(),
      type: s.string().describe("In Databricks SQL: `STRING`, `DECIMAL(12,2)`."),
      nullable: s.boolean(),
      ...annotations,
    }),
  ),
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
  summary: "Read the warehouse's catalog",
  description:
    "Returns every catalog and schema, and tables ordered by name. Filter the tables by catalog, schema and table.",
  access: "viewer",
  query: {
    catalog: s.string().optional(),
    schema: s.string().optional(),
    table: s.string().optional(),
    skip: paging.skip.describe("Number of tables to skip, ordered by name."),
    limit: paging.limit.describe("Maximum number of tables to return."),
  },
  response: s.model("Catalog", {
    catalogs: s.list(s.string()),
    schemas: s.list(s.model("CatalogSchema", { catalog: s.string(), name: s.string() })),
    tables: s.list(CatalogTable),
    total: s.integer().describe("Number of tables that match."),
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
  summary: "Change descriptions and tags",
  description:
    "Takes the body of `/api/v1/codegen/alter-metadata`, or the content of an artifact that it generated. Applies the whole change or nothing.",
  access: "operator",
  body: MetadataInput,
  response: s.model("MetadataChanged", {
    changed: s.boolean().describe("False if nothing had to change."),
    message: s.string(),
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
