import type { FlowShape } from "@lakehelm/contract/changes";
import { type ConsumptionFlow, type FlowStep, planFlow } from "@lakehelm/flows";
import { type NameDefaults, plainName } from "@lakehelm/sql/names";
import type { Artifact } from "../../artifact.ts";
import { withNames } from "../../name-variables.ts";
import { type CodeCell, notebook } from "../../notebook.ts";
import { changeCode, changeStatements, recordShape } from "./change-code.ts";
import { metadataCellStatements, metadataCode } from "./metadata-code.ts";
import { openingCode } from "./opening-code.ts";
import { overwriteCode, overwriteStatements } from "./overwrite-code.ts";
import { publishingFlow, publishOrRebuild, rebuildStatements } from "./rebuild-code.ts";
import { stepsCode } from "./step-code.ts";
import { summaryCode } from "./summary-code.ts";
import { keysAndTags, tableCode, tableStatements } from "./table-code.ts";

/** The flow as a notebook, with all statements in the order in which they run. */
export function flowNotebook(
  flow: ConsumptionFlow,
  shape: FlowShape,
  path: string,
  defaults: NameDefaults,
): Artifact {
  const onDatabricks = keysAndTags(flow);
  const plan = { ...planFlow(flow), publish: planFlow(publishingFlow(flow)).publish };
  const cells: CodeCell[] = [
    { title: "Table", code: tableCode(flow) },
    { title: "Read", code: stepsCode(plan.read) },
    { title: "Change", code: changeCode(flow, shape) },
    {
      title: "Publish",
      code: publishOrRebuild(flow, shape, publishCode(publishingFlow(flow), plan.publish)),
    },
    ...(plan.keep.length > 0 ? [{ title: "Unmatched rows", code: stepsCode(plan.keep) }] : []),
    { title: "Metadata", code: metadataCode(flow) },
    ...(onDatabricks ? [{ title: "Keys and tags", code: onDatabricks }] : []),
    { title: "Version", code: recordShape(flow, shape) },
    { title: "Summary", code: summaryCode(flow) },
  ];
  const steps = [...plan.read, ...plan.publish, ...plan.keep];
  const first = { title: "Parameters", code: openingCode(flow, cells, defaults) };
  const made: Artifact = {
    path,
    content: notebook([`Flow ${flow.name}: publishes ${plainName(flow.target)}.`], [first, ...cells]),
    fileType: "python",
    about: `The notebook that runs the flow and publishes ${plainName(flow.target)}.`,
    statements: [
      ...tableStatements(flow),
      ...metadataCellStatements(flow),
      ...steps.map(({ sql }) => sql),
      ...overwriteStatements(publishingFlow(flow)),
      ...changeStatements(flow, shape),
      ...rebuildStatements(flow, shape),
    ],
  };
  return withNames(made, { ...defaults, table: flow.target.table });
}

const publishCode = (flow: ConsumptionFlow, publish: readonly FlowStep[]): string =>
  flow.publishing === "replace"
    ? overwriteCode(flow, stepsCode(publish, { isNested: true }))
    : stepsCode(publish);
