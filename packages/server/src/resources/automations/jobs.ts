import type { Step } from "../../core/store/store.ts";
import type { System } from "../../core/system.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { Intent, IntentKind, Outcome } from "../../runtime/platforms/platform.ts";
import type { Work } from "../../runtime/platforms/work.ts";
import { subjectOf } from "./registry.ts";

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
  /** Called by whoever records an outcome, so that the one who asked hears of it. */
  tell(intent: Intent, outcome: Outcome): void;
}

/** Where there is no job, asking for nothing is done at once. */
export const noJob: Job = {
  steps: [],
  outcome: { done: true, reference: null },
  settle: async () => ({ done: true, reference: null }),
};

export function createJobs(system: System, work: Work): Jobs {
  const listening = new Map<string, (outcome: Outcome) => void>();
  return {
    ask(kind, { platform, environment }, automationId, about) {
      const id = system.newId();
      const asked = work.ask(platform, {
        id,
        environmentId: environment.id,
        kind,
        subject: subjectOf(automationId),
        data: about,
      });
      return {
        steps: asked.steps,
        outcome: asked.outcome,
        async settle() {
          if (asked.outcome) return asked.outcome;
          let heard: Outcome = { done: false, reason: "it did not answer" };
          listening.set(id, (outcome) => {
            heard = outcome;
          });
          try {
            await asked.finish();
          } finally {
            listening.delete(id);
          }
          return heard;
        },
      };
    },
    tell: (intent, outcome) => listening.get(intent.id)?.(outcome),
  };
}
