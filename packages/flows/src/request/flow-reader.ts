import type { ConsumptionFlowInput } from "@lakehelm/contract";
import type { SqlParser } from "@lakehelm/sql";
import { fileSlug, type NameDefaults, titleProblem } from "@lakehelm/sql/names";
import type { ConsumptionFlow, KnownColumns } from "../flow.ts";
import { addedNames, surrogateName, targetColumns } from "../target-columns.ts";
import { readColumns } from "./columns.ts";
import { readQueries } from "./queries.ts";
import { endProblem, readPublishing } from "./strategy.ts";
import {
  propertyProblems,
  readBusinessDate,
  readClustering,
  readForeignKeys,
  readSequence,
} from "./table-options.ts";
import { readTables } from "./tables.ts";
import { textProblem } from "./text-limits.ts";
import { readTrigger } from "./trigger.ts";

/** Validates a request. Returns its flow, or all its problems. Columns are checked if they are known. */
export function readFlow(
  input: ConsumptionFlowInput,
  defaults: NameDefaults,
  parser: SqlParser,
  known: KnownColumns = new Map(),
):
  | { readonly flow: ConsumptionFlow; readonly problems?: never }
  | { readonly flow?: never; readonly problems: readonly string[] } {
  const request = withoutEmptyTexts(input);
  const problems: string[] = [];
  const note = (where: string, problem: string | undefined) =>
    problem && problems.push(`${where}: ${problem}`);

  note("flow_name", titleProblem(request.flow_name));
  if (request.type !== "consumption")
    note("type", `${JSON.stringify(request.type)} is not known. Expected consumption.`);
  const { target, sources } = readTables(request, defaults, problems);
  const trigger = readTrigger(request, sources, problems);
  const { strategy, publishing, missingKeys } = readPublishing(request, problems);
  const checkSeverity = request.check_severity ?? "fail";
  note("target_schema.description", textProblem(request.target_schema.description));

  const added = addedNames(target?.table ?? "", publishing.startsWith("history"), request.emit_surrogate_key);
  const columns = readColumns(request, added, problems);
  const named = { known: columns, named: request.target_schema.columns.map(({ name }) => name) };
  const sequence = readSequence(request, named, problems);
  const businessDate = readBusinessDate(request, named, problems);
  if (publishing === "history" && missingKeys && sequence) note("close_missing_keys", endProblem(sequence));
  const foreignKeys = readForeignKeys(request, defaults, named, checkSeverity, problems);
  problems.push(...propertyProblems(request));
  const queries = readQueries(request, { target, sources, defaults, known }, parser, problems);

  const surrogateKey = request.emit_surrogate_key && target ? surrogateName(target.table) : null;
  const clusterBy = readClustering(
    request,
    targetColumns({ columns, publishing, sequence, surrogateKey }),
    named.named,
    problems,
  );
  if (problems.length > 0 || !target || !queries) return { problems };
  return {
    flow: {
      name: request.flow_name,
      slug: fileSlug(request.flow_name),
      requestedBy: request.requested_by,
      warehouse: request.warehouse ?? null,
      description: request.target_schema.description,
      trigger,
      target,
      sources,
      columns,
      foreignKeys,
      clusterBy,
      properties: request.table_properties,
      strategy,
      publishing,
      missingKeys,
      checkSeverity,
      sequence,
      businessDate,
      surrogateKey,
      ...queries,
    },
  };
}

/** Some clients send an empty string for a missing value. */
function withoutEmptyTexts(request: ConsumptionFlowInput): ConsumptionFlowInput {
  const { unmatched_sql, recheck_sql, sequence_by, business_date_column, warehouse, ...rest } = request;
  return {
    ...rest,
    ...(unmatched_sql && { unmatched_sql }),
    ...(recheck_sql && { recheck_sql }),
    ...(sequence_by && { sequence_by }),
    ...(business_date_column && { business_date_column }),
    ...(warehouse && { warehouse }),
  };
}
