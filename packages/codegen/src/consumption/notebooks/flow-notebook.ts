import type { ConsumptionFlow, FlowPlan } from "@lakehelm/flows";
import { plainName } from "@lakehelm/sql/names";
import type { Artifact } from "../../artifact.ts";
import { type CodeCell, notebook } from "../../notebook.ts";
import { openingCode } from "./opening-code.ts";
import { stepsCode } from "./step-code.ts";
import { summaryCode } from "./summary-code.ts";
import { fitCode, keysAndTags, tableCode, tableStatements } from "./table-code.ts";

/** The flow as a notebook, with all statements in the order in which they run. */
export function flowNotebook(flow: ConsumptionFlow, plan: FlowPlan, path: string): Artifact {
  const onDatabricks = keysAndTags(flow);
  const cells: CodeCell[] = [
    { title: "Parameters", code: openingCode(flow) },
    { title: "Table", code: tableCode(flow) },
    ...(onDatabricks ? [{ title: "Keys and tags", code: onDatabricks }] : []),
    { title: "Read", code: `${stepsCode(plan.read)}\n\n${fitCode(flow)}` },
    { title: "Publish", code: stepsCode(plan.publish) },
    ...(plan.keep.length > 0 ? [{ title: "Unmatched rows", code: stepsCode(plan.keep) }] : []),
    { title: "Summary", code: summaryCode(flow) },
  ];
  const steps = [...plan.read, ...plan.publish, ...plan.keep];
  return {
    path,
    content: notebook([`Flow ${flow.name}: publishes ${plainName(flow.target)}.`], cells),
    fileType: "python",
    about: `The notebook that runs the flow and publishes ${plainName(flow.target)}.`,
    statements: [...tableStatements(flow), ...steps.map(({ sql }) => sql)],
  };
}
