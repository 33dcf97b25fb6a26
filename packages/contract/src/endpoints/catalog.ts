import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { GlossaryUpdateInput } from "./codegen.ts";
import { environmentHeader, paging } from "./shared.ts";

const described = {
  comment: s.string().nullable(),
  tags: s.map(s.string()),
};

const CatalogTable = s.model("CatalogTable", {
  catalog: s.string(),
  schema: s.string(),
  name: s.string(),
  kind: s.literal("table", "view"),
  ...described,
  rows: s.integer().nullable().describe("Null for views: they would have to be run."),
  columns: s.list(
    s.model("CatalogColumn", {
      name: s.string(),
      type: s.string().describe("As Databricks writes it: `STRING`, `DECIMAL(12,2)`."),
      nullable: s.boolean(),
      ...described,
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
    "Every catalog and schema, and the tables by name: all, or those of a catalog, a schema, one table.",
  access: "viewer",
  query: {
    catalog: s.string().optional(),
    schema: s.string().optional(),
    table: s.string().optional(),
    skip: paging.skip.describe("How many tables to pass over, by name."),
    limit: paging.limit.describe("How many tables to return at the most."),
  },
  response: s.model("Catalog", {
    catalogs: s.list(s.string()),
    schemas: s.list(s.model("CatalogSchema", { catalog: s.string(), name: s.string() })),
    tables: s.list(CatalogTable),
    total: s.integer().describe("How many tables there are in all that were asked for."),
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
  artifact: s.string().describe("The text of an `alter.sql` or `undo.sql` that code generation has made."),
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
    "Either a change as `/api/v1/codegen/alter-metadata` takes it, or the text of an artifact that it has made. All of it is applied, or nothing.",
  access: "operator",
  body: MetadataInput,
  response: s.model("MetadataChanged", {
    changed: s.boolean().describe("False: everything was so already."),
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
