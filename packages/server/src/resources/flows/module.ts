import { DataProblem, type Engine } from "@lakehelm/engine";
import type { Dependencies } from "../../core/dependencies.ts";
import { subjectId } from "../../core/store/store.ts";
import { workerContext } from "../../core/system.ts";
import { timeoutErrorOf } from "../../runtime/jobs/attempt-outcome.ts";
import type { Executors } from "../../runtime/jobs/executors.ts";
import type { PlatformRequests } from "../../runtime/platforms/platform-requests.ts";
import type { CodeGenerator } from "../codegen/generator.ts";
import type { Environments } from "../environments/environments.ts";
import { planInWarehouse } from "./flow-planning.ts";
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
  const rules = createFlows(deps, platformRequests, environments, {
    validate: validateByGenerating(generator),
    plan: planInWarehouse,
  });
  const executors: Executors = {
    flow: {
      checkParameters: async (_, parameters) => requireFlowParameters(parameters),
      async execute({ id, cause }, { subject, definition }, working) {
        const run = { id, flowId: subjectId("flow", subject), parameters: cause.parameters ?? {} };
        const record = (status: "active" | "warning" | "failing", error: string | null) =>
          rules.recordRun(run.flowId, { status, error }, workerContext(deps.system));
        try {
          const { metrics, warning } = await runFlow(
            { flows: rules, environments, engine, clock: stopwatch },
            run,
            working,
          );
          await record(warning === undefined ? "active" : "warning", warning ?? null);
          return { metrics, ...(warning !== undefined && { warning }) };
        } catch (error) {
          const timeout = timeoutErrorOf(working.signal, definition);
          if (timeout !== undefined) await record("failing", timeout);
          else if (error instanceof DataProblem && !error.retryable) await record("failing", error.message);
          throw error;
        }
      },
    },
  };
  return {
    rules,
    executors,
    outbox: platformRequests.handler("flow", rules.recordOutcome, rules.recordWaiting),
    handlers: flowHandlers(rules, environments),
    tick: rules.endPauses,
  };
}
