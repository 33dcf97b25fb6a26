import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { GlossaryUpdateInput } from "./codegen.ts";
import { listQuery, memoryListFields, nextCursor } from "./lists.ts";
import { PlanReference } from "./plan-models.ts";
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
  changes: "settings",
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

/** The most changes of one alteration. */
export const maxTableChanges = 200;

const column = () => s.string({ min: 1, max: 255 });

const changeKinds = ["set_type", "drop", "rename", "move"] as const;

const TableChange = s.choice(
  "TableChange",
  (raw) => Math.max(0, changeKinds.indexOf((s.has(raw, "change") && raw.change) as never)),
  s.model("SetColumnType", {
    change: s.literal("set_type").describe("Gives a column another type. Every value must fit it exactly."),
    column: column().describe("Name of the column, in any case."),
    type: s
      .string({ min: 1, max: 500 })
      .describe("The type in Databricks SQL: `BIGINT`, `DECIMAL(12,2)`, `STRING`, `VARCHAR(20)`."),
  }),
  s.model("DropColumn", {
    change: s.literal("drop").describe("Removes a column with its values."),
    column: column().describe("Name of the column, in any case."),
  }),
  s.model("RenameColumn", {
    change: s.literal("rename").describe("Gives a column another name. Its values stay."),
    column: column().describe("Name of the column, in any case."),
    name: column().describe("The new name."),
  }),
  s.model("MoveColumn", {
    change: s.literal("move").describe("Puts a column elsewhere in the order of the table."),
    column: column().describe("Name of the column, in any case."),
    after: s
      .string({ min: 1, max: 255 })
      .nullable()
      .describe("Name of the column before it; null: it becomes the first one."),
  }),
);

const AlterationFields = {
  table: s
    .string({ min: 1, max: 800 })
    .describe(
      "Name of the table: `catalog.schema.table`. What is left out comes from the environment. Parts with dots are in backticks.",
    ),
  changes: s
    .list(TableChange, { min: 1 })
    .describe(
      `The changes, in order: each one is made on the result of those before it. At most ${maxTableChanges}.`,
    ),
};

const AlterationWriter = s.model("AlterationWriter", {
  kind: s.literal("connector", "flow", "pipeline", "automation").describe("The kind of the resource."),
  name: s.string().describe("Its name."),
  level: s
    .literal("info", "breaking", "refused")
    .describe(
      "`info`: its runs go on. `breaking`: `force` confirms what it says. `refused`: the change would stop its runs, or they would undo it.",
    ),
  sentence: s
    .string()
    .describe("What its next run does because of the alteration, or what to change instead."),
});

export const TableAlteration = s.model("TableAlteration", {
  table: s.string().describe("Full name of the table."),
  applied: s.boolean().describe("Whether the changes were made. A plan makes none."),
  columns: s
    .list(
      s.model("AlteredColumn", {
        name: s.string().describe("Name of the column."),
        type: s.string().describe("Its type, in Databricks SQL."),
        before: s
          .model("FormerColumn", {
            name: s.string().describe("Name of the column before the alteration."),
            type: s.string().describe("Its type before the alteration."),
          })
          .describe("The same column before the alteration."),
        unfit: s
          .integer()
          .describe(
            "Number of rows whose value does not fit the new type. With any, the alteration is refused.",
          ),
      }),
    )
    .describe("The columns of the altered table, in order."),
  dropped: s.list(s.string()).describe("Names of the columns that are removed with their values."),
  changes: s.list(s.string()).describe("What is done, a sentence for each column."),
  writers: s
    .list(AlterationWriter)
    .describe("What the alteration means for each resource that writes the table."),
  readers: s
    .list(PlanReference)
    .describe(
      "Resources and views that read what is dropped, renamed, or gets a type that not every reader can take for the former one, by the lineage of columns. With any, the alteration takes `force`. At most 200.",
    ),
  unknown: s.list(s.string()).describe("Names of pipelines and automations whose tables are not all known."),
  problems: s.list(s.string()).describe("Why the alteration cannot be made; empty: it can."),
  breaking: s.boolean().describe("Whether it takes `force`."),
  digest: s
    .string()
    .describe(
      "Identifies what the plan says. An alteration with another one is refused: the plan is out of date.",
    ),
});
export type TableAlteration = s.Infer<typeof TableAlteration>;

const exampleChanges = [{ change: "set_type", column: "order_id", type: "DECIMAL(20,0)" }];
const exampleAlteration = {
  table: "shop.sales.orders",
  applied: false,
  columns: [
    {
      name: "order_id",
      type: "DECIMAL(20,0)",
      before: { name: "order_id", type: "BIGINT" },
      unfit: 0,
    },
  ],
  dropped: [],
  changes: ["order_id changes from BIGINT to DECIMAL(20,0)."],
  writers: [],
  readers: [],
  unknown: [],
  problems: [],
  breaking: false,
  digest: "5d41402abc4b2a76b9719d911017c592",
};

export const planTableAlteration = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "operation",
  path: "/api/v1/catalog/alterations/plan",
  scope: "header",
  summary: "Plan changes of the columns of a table",
  description:
    "Says what the changes do to the rows, what the next runs of those who write the table do, and who reads what changes. Changes nothing.",
  access: "operator",
  effect: "reads a table of a warehouse",
  body: s.model("TableAlterationInput", AlterationFields),
  response: TableAlteration,
  example: { body: { table: "shop.sales.orders", changes: exampleChanges }, response: exampleAlteration },
});

export const alterTable = endpoint({
  ...shared,
  method: "POST",
  changes: "settings",
  path: "/api/v1/catalog/alterations",
  scope: "header",
  summary: "Change the columns of a table",
  description:
    "Changes types, drops, renames and reorders columns of a table that Lakehelm writes: all changes or none. No value is rounded or cut off: a value that does not fit its new type refuses the alteration. What would break a reader takes `force`; what would break the runs that write the table is refused with what to do instead. See docs/reference/warehouse.md#columns-of-tables.",
  access: "operator",
  effect: "changes tables of a warehouse",
  body: s.model("TableAlterationRequest", {
    ...AlterationFields,
    force: s
      .boolean()
      .default(false)
      .describe("Confirms that readers of the table break, and what the plan says of its writers."),
    digest: s
      .string({ max: 200 })
      .nullable()
      .default(null)
      .describe("`digest` of the plan that was read. Null: whatever the plan is now."),
  }),
  response: TableAlteration,
  example: {
    body: { table: "shop.sales.orders", changes: exampleChanges },
    response: { ...exampleAlteration, applied: true },
  },
});
