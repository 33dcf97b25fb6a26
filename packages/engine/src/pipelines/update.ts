import type { FileLocation } from "@lakehelm/sql/pipelines";
import type { RunUpdateRequest, RunUpdateResult } from "../protocol/pipeline.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { authorProblem } from "./author-problem.ts";
import type { BoundStep } from "./code/bound-step.ts";
import { bindPipeline, datasetsOf } from "./code/pipeline-binding.ts";
import { runStep, type UpdateContext } from "./update-step.ts";
import { runSteps, type StepResult } from "./update-steps.ts";

/** Another run may be writing to the same table at this moment. */
const maxAttempts = 5;

export async function runUpdate(
  warehouse: Warehouse,
  request: RunUpdateRequest,
  context: RequestContext,
): Promise<RunUpdateResult> {
  const plan = await bindPipeline(warehouse, request, context.signal);
  const update: UpdateContext = { warehouse, request, context, datasets: datasetsOf(plan.steps) };
  return runSteps(
    request,
    plan,
    {
      run: (step, at, isFull) => runWithRetries(() => runStep(update, step, at, isFull), context.signal),
      problemOf(error, step) {
        const problem = authorProblem(error, warehouse, locationOf(step));
        if (!problem) throw error;
        return problem;
      },
    },
    context,
  );
}

/** The location of a step's query. With several flows any may be the cause, so the table's location is used. */
function locationOf({ dataset, statement }: BoundStep): FileLocation {
  if (statement) return statement.location;
  const [flow, ...others] = dataset.flows;
  return flow && others.length === 0 ? flow.location : dataset.location;
}

async function runWithRetries(run: () => Promise<StepResult>, signal: AbortSignal): Promise<StepResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      signal.throwIfAborted();
      if (attempt === maxAttempts || !(error instanceof DataProblem && error.retryable)) throw error;
    }
  }
}
