import type { ReverseEtlFlowInput } from "@lakehelm/contract";
import { readTables } from "@lakehelm/contract/connections";
import { shown } from "@lakehelm/contract/text";
import { fileSlug, plainName, readTableName, titleProblem } from "@lakehelm/sql/names";
import { bundleFile, jobFile, sendingOfTarget } from "../bundle.ts";
import {
  connectorFile,
  connectorFolder,
  connectorTable,
  type GeneratedConnector,
} from "../connector/connector-files.ts";
import { withAddress } from "../connector/database-address.ts";
import { endpointParameters, exportParameters } from "../connector/run-parameters.ts";
import { withholdSecrets } from "../connector/secret-values.ts";
import { triggerOf } from "../connector/trigger.ts";
import type { GenerationContext } from "../generation-context.ts";
import { nameParameters, resolvedNames, variableName, withNames } from "../name-variables.ts";
import type { PersonalColumns } from "./personal-columns.ts";
import type { ReverseEtlTable } from "./target-kind.ts";
import { targetKind, targetTypes } from "./target-kinds.ts";

/** Generates an export from lakehouse tables to an external system: notebook, configuration, job and bundle. */
export function generateReverseEtl(
  request: ReverseEtlFlowInput,
  context: GenerationContext,
  tagged: PersonalColumns = new Map(),
): GeneratedConnector {
  const { name, target_type: type } = request;
  const folder = connectorFolder("reverse-etl", name);
  const title = titleProblem(name);
  const problems = title ? [`name: ${shown(name)} cannot be used: ${title}`] : [];

  const secured = withholdSecrets(
    withAddress(request.target_config ?? {}, type, name, context),
    name,
    context,
    "target_config",
  );
  const { withheld } = secured;
  const names = request.table_configs.map(({ source_dataset }, at) =>
    readTableName(source_dataset, context, `table_configs[${at}].source_dataset`),
  );
  const settings = readTables(
    request.table_configs,
    secured.config,
    "target_config",
    names.map((source) => ("problem" in source ? undefined : tagged.get(plainName(source)))),
  );
  problems.push(...secured.problems, ...settings.problems);
  const sources = settings.tables.flatMap((table, at): ReverseEtlTable[] => {
    const source = names[at];
    if (!source || "problem" in source) {
      problems.push(...(source ? [source.problem] : []));
      return [];
    }
    return [
      {
        table,
        source: variableName(source, context),
        suppressed: request.table_configs[at]?.pii_suppressed === true,
      },
    ];
  });
  const watched = [...new Set(sources.map(({ source }) => plainName(source)))];
  const {
    trigger,
    started,
    problems: triggerProblems,
  } = triggerOf(request, { tables: watched, folder: null }, context.timezone);
  problems.push(...triggerProblems);
  if (trigger.kind === "table_update") {
    for (const table of watched.filter((name) => name.includes("{{")))
      problems.push(
        `${shown(resolvedNames(table, context))} cannot be watched: its name contains "{{", which a job would replace.`,
      );
  }

  const target = targetKind(type)?.(secured.config, sources, {
    connector: name,
    state: variableName(connectorTable(name, "sent", context), context),
    rejects: variableName(connectorTable(name, "rejects", context), context),
    defaults: context,
  });
  if (!target) problems.push(`target_type: ${shown(type)} is not one of ${targetTypes().join(", ")}.`);
  problems.push(...(target?.problems ?? []));
  if (!target || problems.length > 0) return { errors: problems, withheld };

  const { content, statements } = target.notebook();
  const notebook = withNames(
    {
      path: `${folder}/sync.py`,
      content,
      fileType: "python",
      about: `Sends ${count(sources.length)} of the lakehouse to ${target.title}.`,
      ...(statements.length > 0 && { statements }),
      ...(secured.secrets.length > 0 && { secrets: secured.secrets }),
      choices: [target.choice],
    },
    context,
  );
  const description = {
    kind: "reverse_etl",
    name,
    target_type: type,
    target_config: secured.config,
    execution_mode: request.execution_mode,
    ...(request.schedule_cron !== undefined && { schedule_cron: request.schedule_cron }),
    ...(request.warehouse !== undefined && { warehouse: request.warehouse }),
    requested_by: request.requested_by,
    choices: [target.choice],
    tables: sources.map(({ table, source, suppressed }) => ({
      source_dataset: resolvedNames(plainName(source), context),
      target_name: table.target,
      write_strategy: table.strategy,
      primary_keys: table.keys,
      watermark_column: table.watermark,
      columns_left_out: table.leftOut,
      ...(suppressed && { tagged_columns_left_out: true }),
    })),
  };
  const job = jobFile(
    {
      kind: "reverse_etl",
      owner: request.requested_by,
      key: `sync_${fileSlug(name)}`,
      name,
      about: `Sends ${count(sources.length)} to ${target.title}. ${started}`,
      trigger,
      parameters: [
        ...nameParameters(content),
        ...(target.isDatabase ? exportParameters : endpointParameters),
        { name: "mode", default: sendingOfTarget },
      ],
      tasks: [{ key: "sync", notebook: notebook.path }],
    },
    context,
  );
  return {
    artifacts: [notebook, connectorFile(folder, description, secured.secrets), job, bundleFile(context)],
    withheld,
  };
}

const count = (tables: number) => (tables === 1 ? "one table" : `${tables} tables`);
