import type { Step } from "../../core/store/store.ts";
import type { System } from "../../core/system.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { Intent, IntentKind, Outcome } from "../../runtime/platforms/platform.ts";
import type { Work } from "../../runtime/platforms/work.ts";
import { automationSubject } from "./registry.ts";

/** Something asked of the platform about an automation's job. */
export interface Job {
  /** For the change that asks. */
  readonly steps: readonly Step[];
  /** Known before the change where the platform acts within it. */
  readonly outcome: Outcome | undefined;
  /** After the change: how it ended, once that is recorded. */
  settle(): Promise<Outcome>;
}

export interface Jobs {
  ask(kind: IntentKind, env: EnvironmentContext, automationId: string, about: Intent["data"]): Job;
}

/** Where there is no job, asking for nothing is done at once. */
export const noJob: Job = {
  steps: [],
  outcome: { done: true, reference: null },
  settle: async () => ({ done: true, reference: null }),
};

export function createJobs(system: System, work: Pick<Work, "ask">): Jobs {
  return {
    ask(kind, { platform, environment }, automationId, about) {
      const asked = work.ask(platform, {
        id: system.newId(),
        environmentId: environment.id,
        kind,
        subject: automationSubject(automationId),
        data: about,
      });
      return { steps: asked.steps, outcome: asked.outcome, settle: asked.finish };
    },
  };
}
