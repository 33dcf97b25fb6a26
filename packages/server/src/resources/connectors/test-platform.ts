import type { Intent, Outcome, Platform } from "../../runtime/platforms/platform.ts";

/** A stand-in for a remote platform: it behaves as the test defines. */
export interface TestPlatform {
  readonly platform: Platform;
  /** All requests it received, in order. */
  readonly asked: Intent[];
  /** Sets its behaviour from now on; initially every request succeeds. */
  behave(how: (intent: Intent) => Promise<Outcome>): void;
}

export const succeeds = async ({ subject }: Intent): Promise<Outcome> => ({
  done: true,
  reference: `job-${subject}`,
});
export const refuses = async (): Promise<Outcome> => ({ done: false, reason: "The quota is used up." });
export const breaks = async (): Promise<Outcome> => {
  throw new Error("connect ECONNREFUSED");
};
export const hangs = (): Promise<Outcome> => new Promise(() => {});

export function createTestPlatform(name: string): TestPlatform {
  const asked: Intent[] = [];
  let behavior = succeeds;
  return {
    asked,
    behave(how) {
      behavior = how;
    },
    platform: {
      name,
      capabilities: { connectorTargets: ["warehouse"] },
      perform(intent) {
        asked.push(intent);
        return behavior(intent);
      },
    },
  };
}
