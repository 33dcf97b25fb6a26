import type { Intent, Outcome, Platform } from "../runtime/platforms/platform.ts";

/** What a test makes of an intent that waits for its answer. */
interface Waiting {
  /** When the platform was asked. */
  readonly asked: Promise<Intent>;
  answer(outcome: Outcome): void;
}

/** Somebody else's platform: it is called after the change that asks it, and answers when and what the test says. */
export type OutsidePlatform = Platform & {
  /** What it was asked so far, in that order. */
  readonly asked: Intent[];
  answer: (intent: Intent) => Outcome | Promise<Outcome>;
  /** The next intent waits until the test answers it; those after it are answered as ever. */
  holdNext(): Waiting;
};

export const done: Outcome = { done: true, reference: null };
export const refusing = (reason: string): Outcome => ({ done: false, reason });

export function outsidePlatform(name: string): OutsidePlatform {
  let held: { readonly reached: (intent: Intent) => void; readonly outcome: Promise<Outcome> } | undefined;
  const platform: OutsidePlatform = {
    name,
    capabilities: { connectorTargets: [] },
    asked: [],
    answer: () => done,
    async perform(intent) {
      platform.asked.push(intent);
      if (!held) return platform.answer(intent);
      const { reached, outcome } = held;
      held = undefined;
      reached(intent);
      return outcome;
    },
    holdNext() {
      const asked = Promise.withResolvers<Intent>();
      const outcome = Promise.withResolvers<Outcome>();
      held = { reached: asked.resolve, outcome: outcome.promise };
      return { asked: asked.promise, answer: outcome.resolve };
    },
  };
  return platform;
}

/** An intent in one line: `component.stop agent/… chat`. */
export const lineOf = ({ kind, subject, data }: Pick<Intent, "kind" | "subject" | "data">) =>
  [kind, subject, data.component].filter(Boolean).join(" ");
