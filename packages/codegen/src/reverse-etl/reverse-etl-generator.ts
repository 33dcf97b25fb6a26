import type { ReverseEtlFlowInput } from "@lakehelm/contract";
import { readTables } from "@lakehelm/contract/connections";
import { shown } from "@lakehelm/contract/text";
import { fileSlug, plainName, readTableName, titleProblem } from "@lakehelm/sql/names";
import type { Artifact } from "../artifact.ts";
import { bundleFile, jobFile } from "../bundle.ts";
import {
  connectorFile,
  connectorFolder,
  connectorTable,
  type GeneratedConnector,
} from "../connector/connector-files.ts";
import { withAddress } from "../connector/database-address.ts";
import { withholdSecrets } from "../connector/secret-values.ts";
import { triggerOf } from "../connector/trigger.ts";
import type { GenerationContext } from "../generation-context.ts";
import type { ReverseEtlTable } from "./target-kind.ts";
import { targetKind, targetTypes } from "./target-kinds.ts";

/** From tables of the lakehouse to a system outside it: notebook, configuration, job and bundle. */
export function generateReverseEtl(
  request: ReverseEtlFlowInput,
  context: GenerationContext,
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
  const settings = readTables(request.table_configs, secured.config, "target_config");
  problems.push(...secured.problems, ...settings.problems);
  const sources = settings.tables.flatMap((table, at): ReverseEtlTable[] => {
    const source = readTableName(table.source, context, `table_configs[${at}].source_dataset`);
    if (!("problem" in source)) return [{ table, source }];
    problems.push(source.problem);
    return [];
  });
  const watched = [...new Set(sources.map(({ source }) => plainName(source)))];
  const {
    trigger,
    started,
    problems: triggerProblems,
  } = triggerOf(request, { tables: watched, folder: null });
  problems.push(...triggerProblems);
  if (trigger.kind === "table_update") {
    for (const table of watched.filter((name) => name.includes("{{")))
      problems.push(`${shown(table)} cannot be watched: its name contains "{{", which a job would replace.`);
  }

  const target = targetKind(type)?.(secured.config, sources, {
    connector: name,
    state: connectorTable(name, "sent", context),
    rejects: connectorTable(name, "rejects", context),
  });
  if (!target) problems.push(`target_type: ${shown(type)} is not one of ${targetTypes.join(", ")}.`);
  problems.push(...(target?.problems ?? []));
  if (!target || problems.length > 0) return { errors: problems, withheld };

  const { content, statements } = target.notebook();
  const notebook: Artifact = {
    path: `${folder}/sync.py`,
    content,
    fileType: "python",
    about: `Sends ${count(sources.length)} of the lakehouse to ${target.title}.`,
    ...(statements.length > 0 && { statements }),
    ...(secured.secrets.length > 0 && { secrets: secured.secrets }),
  };
  const description = {
    kind: "reverse_etl",
    name,
    target_type: type,
    target_config: secured.config,
    execution_mode: request.execution_mode,
    ...(request.schedule_cron !== undefined && { schedule_cron: request.schedule_cron }),
    ...(request.warehouse !== undefined && { warehouse: request.warehouse }),
    requested_by: request.requested_by,
    tables: sources.map(({ table, source }) => ({
      source_dataset: plainName(source),
      target_name: table.target,
      write_strategy: table.strategy,
      primary_keys: table.keys,
      watermark_column: table.watermark,
      columns_left_out: table.leftOut,
    })),
  };
  const job = jobFile({
    key: `sync_${fileSlug(name)}`,
    name,
    about: `Sends ${count(sources.length)} to ${target.title}. ${started}`,
    trigger,
    tasks: [{ key: "sync", notebook: notebook.path }],
    packages: target.packages,
  });
  return {
    artifacts: [notebook, connectorFile(folder, description, secured.secrets), job, bundleFile(context)],
    withheld,
  };
}

const count = (tables: number) => (tables === 1 ? "one table" : `${tables} tables`);
