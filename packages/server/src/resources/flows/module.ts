import type { Engine } from "@lakehelm/engine";
import type { Dependencies } from "../../core/dependencies.ts";
import { subjectId } from "../../core/store/store.ts";
import type { Executors } from "../../runtime/jobs/executors.ts";
import type { PlatformRequests } from "../../runtime/platforms/platform-requests.ts";
import type { CodeGenerator } from "../codegen/generator.ts";
import type { Environments } from "../environments/environments.ts";
import { runFlow } from "./flow-run.ts";
import { validateByGenerating } from "./flow-validation.ts";
import { createFlows } from "./flows.ts";
import { flowHandlers } from "./routes.ts";
import { requireFlowParameters } from "./run-parameters.ts";

interface FlowsOptions {
  readonly platformRequests: PlatformRequests;
  readonly environments: Environments;
  readonly generator: CodeGenerator;
  readonly engine: Pick<Engine, "request">;
  readonly stopwatch: () => number;
}

export function flowsModule(deps: Dependencies, options: FlowsOptions) {
  const { platformRequests, environments, generator, engine, stopwatch } = options;
  const rules = createFlows(deps, platformRequests, environments, validateByGenerating(generator));
  const executors: Executors = {
    flow: {
      checkParameters: async (_, parameters) => requireFlowParameters(parameters),
      async execute({ id, cause }, { subject }, working) {
        const run = { id, flowId: subjectId("flow", subject), parameters: cause.parameters ?? {} };
        const metrics = await runFlow({ flows: rules, environments, engine, clock: stopwatch }, run, working);
        return { metrics };
      },
    },
  };
  return {
    rules,
    executors,
    outbox: platformRequests.handler("flow", rules.recordOutcome),
    handlers: flowHandlers(rules, environments),
    tick: rules.endPauses,
  };
}
