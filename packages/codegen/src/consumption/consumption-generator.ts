import type { ConsumptionFlowInput } from "@lakehelm/contract";
import type { ConsumptionFlow } from "@lakehelm/flows";
import { defaultDrift, planFlow, readFlow } from "@lakehelm/flows";
import type { SqlParser } from "@lakehelm/sql";
import { plainName } from "@lakehelm/sql/names";
import type { Artifact, GenerationResult } from "../artifact.ts";
import { bundleFile, jobFile } from "../bundle.ts";
import type { GenerationContext } from "../generation-context.ts";
import { ddlFile } from "./ddl-file.ts";
import { descriptionFile } from "./description-file.ts";
import { flowNotebook } from "./notebooks/flow-notebook.ts";
import { qualityNotebook } from "./notebooks/quality-notebook.ts";

/** All artifacts of a consumption flow, or all problems of the request. */
export function generateConsumption(
  request: ConsumptionFlowInput,
  context: GenerationContext,
  parser: SqlParser,
): GenerationResult {
  const read = readFlow(request, context, parser);
  if (read.problems) return { errors: read.problems };
  const { flow } = read;
  const folder = `src/flows/${flow.slug}`;
  return {
    artifacts: [
      ddlFile(flow, `${folder}/ddl.sql`),
      flowNotebook(flow, planFlow(flow), `${folder}/flow.py`),
      qualityNotebook(flow, `${folder}/quality.py`),
      descriptionFile(flow, `${folder}/flow.json`),
      job(flow, folder),
      bundleFile(context),
    ],
  };
}

const job = (flow: ConsumptionFlow, folder: string): Artifact =>
  jobFile({
    key: `flow_${flow.slug}`,
    name: flow.name,
    about: `Publishes ${plainName(flow.target)}, and then checks it.`,
    trigger: flow.trigger,
    parameters: [
      ...(flow.businessDate ? [{ name: "business_date", default: "" }] : []),
      { name: "max_row_count_drift", default: defaultDrift },
    ],
    tasks: [
      { key: "flow", notebook: `${folder}/flow.py` },
      { key: "quality", notebook: `${folder}/quality.py`, after: ["flow"] },
    ],
  });
