import type { CommandGroup } from "./spec.ts";

const dataset = ["name", "primary_keys", "watermark_candidates", "rows"];

export const warehouse = {
  connectors: {
    about: "Move data between systems and the warehouse",
    commands: {
      list: {
        operation: "listConnectors",
        columns: ["name", "status", "target_type", "execution_mode", "schedule_cron", "updated_at", "id"],
        examples: [
          "connectors list",
          "connectors list --status failing -o json",
          "connectors list --env prod",
        ],
      },
      get: {
        operation: "getConnector",
        examples: ["connectors get orders-in", "connectors get orders-in -o yaml --env prod"],
      },
      create: {
        operation: "createConnector",
        examples: [
          "connectors create -f orders-in.yaml",
          'connectors create -f orders-in.yaml --schedule-cron "*/15 * * * *"',
          "connectors create -f orders-in.yaml --execution-mode manual",
          "connectors create -f orders-in.yaml --execution-mode live",
          `connectors create -f orders-out.yaml --execution-mode table_update --set 'table_update_config.table_names=["shop.sales.orders"]'`,
          "connectors create -f files-in.yaml --execution-mode file_arrival --set file_arrival_config.path=/data/in",
          "connectors create -f orders-in.yaml --name orders-in-copy --paused --dry-run",
        ],
        requests: {
          "An import, for -f": {
            name: "orders-in",
            target_type: "warehouse",
            target_config: {
              connection: {
                name: "webshop",
                type: "postgresql",
                config: {
                  host: "db.internal",
                  database: "webshop",
                  user: "lakehelm_reader",
                  password: "{{secrets/webshop/password}}",
                },
              },
              catalog: "shop",
              schema: "raw",
            },
            execution_mode: "manual",
            datasets: [
              {
                source_dataset: "public.orders",
                target_name: "orders",
                primary_keys: ["order_id"],
                watermark_column: "updated_at",
              },
            ],
          },
          "An import of files that starts when some arrive, for -f": {
            name: "files-in",
            target_type: "warehouse",
            target_config: {
              connection: { name: "drop", type: "files", config: { path: "/data/in", format: "csv" } },
            },
            execution_mode: "file_arrival",
            file_arrival_config: { path: "/data/in/orders/*.csv" },
            datasets: [{ source_dataset: "orders", target_name: "orders" }],
          },
        },
      },
      update: {
        operation: "updateConnector",
        examples: [
          'connectors update orders-in --schedule-cron "0 6 * * *"',
          "connectors update orders-in --set target_config.host=db.example.test",
        ],
      },
      delete: { operation: "deleteConnector", examples: ["connectors delete orders-in"] },
      run: {
        operation: "runJob",
        jobOf: "connector",
        starts: "id",
        summary: "Run a connector now",
        examples: [
          "connectors run orders-in --watch",
          "connectors run orders-in --set parameters.full_refresh=true",
        ],
      },
      pause: {
        operation: "pauseConnector",
        examples: ['connectors pause orders-in --reason "database is moving"'],
      },
      resume: { operation: "resumeConnector", examples: ["connectors resume orders-in"] },
      check: {
        operation: "checkConnector",
        rows: "findings",
        columns: ["ok", "sentence"],
        examples: ["connectors check orders-in"],
      },
      discover: {
        operation: "discoverConnector",
        rows: "datasets",
        columns: dataset,
        examples: ["connectors discover orders-in", "connectors discover orders-in -o yaml"],
      },
      preview: {
        operation: "previewConnector",
        rows: "datasets",
        columns: ["target_name", "insert", "update", "delete", "unchanged", "rejected"],
        examples: ["connectors preview orders-in"],
      },
      rejects: {
        operation: "listRejects",
        columns: ["time", "target_name", "reason", "row"],
        examples: ["connectors rejects orders-in", "connectors rejects orders-in -o jsonl"],
      },
      "retry-rejects": {
        operation: "retryRejects",
        starts: "id",
        examples: ["connectors retry-rejects orders-in --watch"],
      },
      "add-dataset": {
        operation: "addDataset",
        examples: ["connectors add-dataset orders-in --source-dataset customers --target-name customers"],
      },
      "update-dataset": {
        operation: "updateDataset",
        examples: [
          "connectors update-dataset orders-in 019f0000-0000-7000-8000-000000000003 --watermark-column changed_at",
        ],
      },
      "remove-dataset": {
        operation: "removeDataset",
        examples: ["connectors remove-dataset orders-in 019f0000-0000-7000-8000-000000000003"],
      },
    },
  },
  pipelines: {
    about: "Declare tables in SQL and keep them up to date",
    commands: {
      list: {
        operation: "listPipelines",
        columns: ["name", "health", "stopped", "platform_managed", "pipeline_id"],
        examples: ["pipelines list", "pipelines list --env prod"],
      },
      get: { operation: "getPipeline", examples: ["pipelines get sales", "pipelines get sales -o json"] },
      create: { operation: "createPipeline", examples: ["pipelines create -f sales.yaml"] },
      update: { operation: "updatePipeline", examples: ["pipelines update sales --continuous"] },
      delete: { operation: "deletePipeline", examples: ["pipelines delete sales"] },
      run: {
        operation: "startPipelineUpdate",
        starts: "update_id",
        examples: ["pipelines run sales --watch", "pipelines run sales --full-refresh"],
      },
      stop: { operation: "stopPipeline", examples: ["pipelines stop sales"] },
      updates: {
        operation: "listPipelineUpdates",
        columns: ["update_id", "state", "cause", "creation_time", "seconds", "rows_added", "error"],
        examples: ["pipelines updates sales --limit 10"],
      },
      "get-update": {
        operation: "getPipelineUpdate",
        examples: ["pipelines get-update sales 019f0000-0000-7000-8000-000000000012"],
      },
      events: {
        operation: "listPipelineEvents",
        columns: ["time", "kind", "table", "state", "message"],
        examples: ["pipelines events sales"],
      },
      graph: {
        operation: "getPipelineGraph",
        rows: "tables",
        columns: ["name", "kind", "reads", "path", "line"],
        examples: ["pipelines graph sales", "pipelines graph sales -o json"],
      },
    },
  },
  flows: {
    about: "Compute tables from other tables",
    commands: {
      list: {
        operation: "listFlows",
        columns: ["name", "status", "definition.type", "definition.target_name", "updated_at", "id"],
        examples: ["flows list", "flows list --status failed"],
      },
      get: { operation: "getFlow", examples: ["flows get customer_value -o yaml"] },
      create: { operation: "createFlow", examples: ["flows create -f customer_value.yaml"] },
      update: { operation: "updateFlow", examples: ["flows update customer_value -f customer_value.yaml"] },
      delete: { operation: "deleteFlow", examples: ["flows delete customer_value"] },
      run: {
        operation: "runJob",
        jobOf: "flow",
        starts: "id",
        summary: "Run a flow now",
        examples: ["flows run customer_value --watch"],
      },
      pause: {
        operation: "pauseFlow",
        examples: ["flows pause customer_value --until 2026-12-01T06:00:00Z"],
      },
      resume: { operation: "resumeFlow", examples: ["flows resume customer_value"] },
    },
  },
  catalog: {
    about: "Tables of the warehouse, their descriptions and tags",
    commands: {
      list: {
        operation: "readCatalog",
        rows: "tables",
        columns: ["catalog", "schema", "name", "kind", "rows", "comment"],
        examples: ["catalog list", "catalog list --schema sales", "catalog list --table orders -o yaml"],
      },
      lineage: {
        operation: "getTableLineage",
        examples: ["catalog lineage --table shop.sales.orders -o yaml"],
      },
      "change-metadata": {
        operation: "changeMetadata",
        examples: ["catalog change-metadata -f descriptions.yaml"],
      },
    },
  },
  tables: { about: "Columns of tables in the warehouse", commands: {} },
  files: {
    about: "Files of an environment's workspace folder",
    commands: {
      list: {
        operation: "listFiles",
        columns: ["path", "size", "updated_at"],
        examples: ["files list", "files list --prefix pipelines/"],
      },
      get: {
        operation: "getFile",
        examples: ["files get pipelines/orders.sql", "files get report.pdf --to report.pdf"],
      },
      put: { operation: "putFile", examples: ["files put pipelines/orders.sql -f orders.sql"] },
      delete: { operation: "deleteFile", examples: ["files delete pipelines/orders.sql"] },
    },
  },
  codegen: {
    about: "Generate SQL, notebooks, jobs and bundles for Databricks and Spark",
    commands: {
      templates: {
        operation: "listCodegenTemplates",
        columns: ["name", "summary", "path"],
        examples: [
          "codegen templates",
          "codegen templates --query \"[?name=='consumption-scd1'].example | [0]\"",
        ],
      },
      connector: {
        operation: "generateConnector",
        rows: "artifacts",
        columns: ["path", "file_type", "metadata.about"],
        examples: ["codegen connector -f ingest.yaml", "codegen connector -f ingest.yaml -o json"],
      },
      flow: {
        operation: "generateConsumption",
        rows: "artifacts",
        columns: ["path", "file_type", "metadata.about"],
        examples: ["codegen flow -f customer_value.yaml"],
      },
      metadata: {
        operation: "generateAlterMetadata",
        rows: "artifacts",
        columns: ["path", "file_type", "metadata.about"],
        examples: ["codegen metadata -f descriptions.yaml"],
      },
    },
  },
} satisfies Record<string, CommandGroup>;
