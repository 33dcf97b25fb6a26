import type { ConsumptionFlowInput } from "@lakehelm/contract";
import { flowShape } from "@lakehelm/contract/changes";
import type { ConsumptionFlow, FlowTrigger, KnownColumns } from "@lakehelm/flows";
import { defaultDrift, readFlow } from "@lakehelm/flows";
import type { SqlParser } from "@lakehelm/sql";
import { plainName } from "@lakehelm/sql/names";
import type { Artifact, GenerationResult } from "../artifact.ts";
import { bundleFile, jobFile } from "../bundle.ts";
import type { GenerationContext } from "../generation-context.ts";
import { nameParameters } from "../name-variables.ts";
import { columnRemarks } from "./column-remarks.ts";
import { ddlFile } from "./ddl-file.ts";
import { descriptionFile } from "./description-file.ts";
import { flowNotebook } from "./notebooks/flow-notebook.ts";
import { qualityNotebook } from "./notebooks/quality-notebook.ts";
import { variableFlow } from "./variable-flow.ts";

/** All artifacts of a consumption flow, or all problems of the request. */
export function generateConsumption(
  request: ConsumptionFlowInput,
  context: GenerationContext,
  parser: SqlParser,
  known: KnownColumns = new Map(),
): GenerationResult {
  const read = readFlow(request, context, parser, known);
  if (read.problems) return { errors: read.problems };
  const { flow } = read;
  const variable = variableFlow(flow, context);
  const folder = `src/flows/${flow.slug}`;
  const flowCode = flowNotebook(variable, flowShape(request), `${folder}/flow.py`, context);
  const quality = qualityNotebook(variable, `${folder}/quality.py`, context);
  return {
    artifacts: [
      ddlFile(flow, `${folder}/ddl.sql`),
      { ...flowCode, remarks: columnRemarks(flow, known) },
      quality,
      descriptionFile(flow, `${folder}/flow.json`),
      job(flow, variable.trigger, folder, nameParameters(flowCode.content, quality.content), context),
      bundleFile(context),
    ],
  };
}

const job = (
  flow: ConsumptionFlow,
  trigger: FlowTrigger,
  folder: string,
  names: readonly { name: string; default: string }[],
  context: GenerationContext,
): Artifact =>
  jobFile(
    {
      kind: "flow",
      owner: flow.requestedBy,
      key: `flow_${flow.slug}`,
      name: flow.name,
      about: `Publishes ${plainName(flow.target)}, and then checks it.`,
      trigger,
      parameters: [
        ...names,
        ...(flow.businessDate ? [{ name: "business_date", default: "" }] : []),
        { name: "full_refresh", default: "false" },
        { name: "discard_history", default: "false" },
        { name: "max_row_count_drift", default: defaultDrift },
      ],
      tasks: [
        { key: "flow", notebook: `${folder}/flow.py` },
        { key: "quality", notebook: `${folder}/quality.py`, after: ["flow"], isCheck: true },
      ],
    },
    context,
  );
