import type { IngestionFlowInput } from "@lakehelm/contract";
import { readTables } from "@lakehelm/contract/connections";
import { shown } from "@lakehelm/contract/text";
import { fileSlug, plainName, readTableName, schemaName, sqlName, titleProblem } from "@lakehelm/sql/names";
import { bundleFile, jobFile } from "../bundle.ts";
import { computeOf } from "../connector/compute.ts";
import {
  connectorFile,
  connectorFolder,
  connectorTable,
  type GeneratedConnector,
} from "../connector/connector-files.ts";
import { withAddress } from "../connector/database-address.ts";
import { importParameters } from "../connector/run-parameters.ts";
import { withholdSecrets } from "../connector/secret-values.ts";
import { triggerOf } from "../connector/trigger.ts";
import type { GenerationContext } from "../generation-context.ts";
import { nameParameters, resolvedNames, variableName, withNames } from "../name-variables.ts";
import { ingestionNotebook } from "./ingestion-notebook.ts";
import type { IngestedTable } from "./source-kind.ts";
import { sourceKind, sourceTitle, sourceTypes } from "./source-kinds.ts";

/** Generates an ingestion from an external source into lakehouse tables: notebook, configuration, job and bundle. */
export function generateIngestion(
  request: IngestionFlowInput,
  context: GenerationContext,
): GeneratedConnector {
  const { name, connection } = request;
  const title = titleProblem(name);
  const problems = [...(title ? [`name: ${shown(name)} cannot be used: ${title}`] : [])];

  const secured = withholdSecrets(
    withAddress(connection.config, connection.type, name, context),
    name,
    context,
    "connection.config",
  );
  const securedCluster = withholdSecrets(request.cluster_config ?? {}, name, context, "cluster_config");
  const withheld = [...secured.withheld, ...securedCluster.withheld];
  const secrets = [...secured.secrets, ...securedCluster.secrets];
  problems.push(...secured.problems, ...securedCluster.problems);

  const folder = connectorFolder("ingestion", name);
  const state = variableName(connectorTable(name, "state", context), context);
  const settings = readTables(request.table_configs, secured.config, "connection.config");
  problems.push(...settings.problems);
  const tables = settings.tables.flatMap((table, at): IngestedTable[] => {
    const target = readTableName(table.target, context, `table_configs[${at}].target_name`);
    if ("problem" in target) {
      problems.push(target.problem);
      return [];
    }
    const named = variableName(target, context);
    if (plainName(named) === plainName(state)) {
      problems.push(
        `table_configs[${at}].target_name: ${shown(table.target)} is the connector's own state table.`,
      );
    }
    return [
      { ...table, targetSql: sqlName(named), schemaSql: schemaName(named), field: `table_configs[${at}]` },
    ];
  });

  const kind = sourceKind(connection.type);
  if (!kind) {
    problems.push(`connection.type: ${shown(connection.type)} is not one of ${sourceTypes().join(", ")}.`);
    return { errors: problems, withheld };
  }
  const compute = computeOf({ ...request, cluster_config: request.cluster_config && securedCluster.config });
  const checkpoints = variableName(connectorTable(name, "checkpoints", context), context);
  const source = kind(secured.config, tables, {
    ...context,
    connector: name,
    folder,
    stateSql: sqlName(state),
    checkpoints,
    serverless: compute.cluster === undefined,
  });
  const {
    trigger,
    started,
    problems: triggerProblems,
  } = triggerOf(request, { tables: [], folder: source.folder }, context.timezone);
  problems.push(...source.problems, ...triggerProblems, ...compute.problems);
  if (problems.length > 0) return { errors: problems, withheld };

  const notebook = withNames(
    {
      path: `${folder}/ingest.py`,
      content: ingestionNotebook(request, [state, checkpoints], tables, source, context),
      fileType: "python",
      about: `Reads ${count(tables.length)} from ${sourceTitle(connection.type)} into the lakehouse.`,
      ...(source.statements.length > 0 && { statements: source.statements }),
      ...(secured.secrets.length > 0 && !source.secretsElsewhere && { secrets: secured.secrets }),
      ...(source.choices && { choices: source.choices }),
    },
    context,
  );
  const description = {
    kind: "ingestion",
    name,
    connection: { name: connection.name, type: connection.type, config: secured.config },
    connection_ref: request.connection_ref,
    ...(request.resource_id !== undefined && { resource_id: request.resource_id }),
    execution_mode: request.execution_mode,
    ...(request.schedule_cron !== undefined && { schedule_cron: request.schedule_cron }),
    compute_type: compute.cluster ? "cluster" : "serverless",
    ...(compute.cluster && { cluster_config: compute.cluster }),
    ...(source.choices && { choices: source.choices }),
    state_table: plainName(connectorTable(name, "state", context)),
    tables: tables.map(({ source, target, targetSql, strategy, keys, watermark, leftOut }) => ({
      source_dataset: source,
      target_name: target,
      target: resolvedNames(targetSql, context),
      write_strategy: strategy,
      primary_keys: keys,
      watermark_column: watermark,
      columns_left_out: leftOut,
    })),
  };
  const job = jobFile(
    {
      kind: "ingestion",
      key: `ingest_${fileSlug(name)}`,
      name,
      about: `Ingests ${count(tables.length)} from ${sourceTitle(connection.type)}. ${started}`,
      trigger,
      parameters: [...nameParameters(notebook.content), ...(source.parameters ?? []), ...importParameters],
      tasks: [{ key: "ingest", notebook: notebook.path }],
      cluster: compute.cluster,
    },
    context,
  );
  return {
    artifacts: [
      notebook,
      connectorFile(folder, description, secrets),
      ...(source.files ?? []),
      job,
      bundleFile(context),
    ],
    withheld,
  };
}

const count = (tables: number) => (tables === 1 ? "one table" : `${tables} tables`);
