import type { Intent, Outcome, Platform } from "../runtime/platforms/platform.ts";

/** A pending request that the test answers. */
interface Waiting {
  /** Resolves when the platform receives the request. */
  readonly asked: Promise<Intent>;
  answer(outcome: Outcome): void;
}

/** A platform with remote effects: it is called after the requesting transaction, and responds as the test defines. */
export type OutsidePlatform = Platform & {
  /** The requests so far, in order. */
  readonly asked: Intent[];
  answer: (intent: Intent) => Outcome | Promise<Outcome>;
  /** The next request waits until the test answers it; later ones are answered as usual. */
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

/** A request in one line: `component.stop agent/… chat`. */
export const lineOf = ({ kind, subject, data }: Pick<Intent, "kind" | "subject" | "data">) =>
  [kind, subject, data.component].filter(Boolean).join(" ");
