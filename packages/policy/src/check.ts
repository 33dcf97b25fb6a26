import { Worker } from "node:worker_threads";
import type { PolicyInput, PolicyRule } from "./input.ts";

/** A rule that is violated by a step, or that could not be evaluated. */
export interface PolicyResult {
  readonly policy: string;
  readonly level: PolicyRule["level"];
  /** Which of the inputs; null: the rule as a whole. */
  readonly at: number | null;
  readonly message: string;
}

export interface PolicyLimits {
  /** Processor time of all rules: a busy machine must not deny a plan. On the clock it is a minute at most. */
  readonly timeoutMs?: number;
  readonly memoryMb?: number;
  /** The most results of one rule. */
  readonly maxResults?: number;
}

export interface ThreadRequest {
  readonly policies: readonly PolicyRule[];
  readonly inputs: readonly PolicyInput[];
  readonly maxResults: number;
}

/** The processor time before the first rule, in microseconds; then the results of each rule, when it is done. */
export type ThreadMessage =
  | { readonly loading: number }
  | { readonly done: number; readonly results: readonly PolicyResult[] };

const longestMs = 60_000;

/**
 * Evaluates rules over steps. A rule may compare every item of a list with every other, nested, or match a hostile pattern: so it
 * runs on a thread that is ended after a while, or when it takes too much memory. A rule that was not evaluated counts as
 * violated: a plan that a rule could deny is not let through because the rule is slow.
 */
export async function checkPolicies(
  policies: readonly PolicyRule[],
  inputs: readonly PolicyInput[],
  { timeoutMs = 10_000, memoryMb = 256, maxResults = 1000 }: PolicyLimits = {},
): Promise<PolicyResult[]> {
  if (policies.length === 0 || inputs.length === 0) return [];
  const found: (readonly PolicyResult[] | undefined)[] = policies.map(() => undefined);
  const workerData: ThreadRequest = { policies, inputs, maxResults };
  const thread = new Worker(new URL("./thread.ts", import.meta.url), {
    name: "policies",
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const reason = await new Promise<string | undefined>((resolve) => {
    const tooLong = () => end(`took longer than ${timeoutMs / 1000} seconds`);
    const timer = setTimeout(tooLong, longestMs);
    /** Processor time in microseconds that loading the thread took. */
    let loading = Number.POSITIVE_INFINITY;
    const watch = setInterval(
      async () => {
        // It does not answer when it has ended.
        const used = await thread.cpuUsage().catch(() => undefined);
        if (used && used.user + used.system - loading > timeoutMs * 1000) tooLong();
      },
      Math.max(20, timeoutMs / 10),
    );
    const end = (why: string | undefined) => {
      clearTimeout(timer);
      clearInterval(watch);
      resolve(why);
    };
    thread.on("message", (message: ThreadMessage) => {
      if ("loading" in message) loading = message.loading;
      else found[message.done] = message.results;
    });
    thread.on("error", (error: NodeJS.ErrnoException) =>
      end(
        error.code === "ERR_WORKER_OUT_OF_MEMORY"
          ? `needed more than ${memoryMb} MB of memory`
          : `failed: ${error.message}`,
      ),
    );
    thread.on("exit", () => end(undefined));
  });
  await thread.terminate();
  const stopped = found.indexOf(undefined);
  return policies.flatMap(({ name: policy, level }, at) => {
    const results = found[at];
    if (results) return results;
    const message =
      at === stopped
        ? `The rule could not be evaluated: it ${reason ?? "ended early"}. Make it simpler.`
        : "The rule was not evaluated, because one before it was stopped.";
    return [{ policy, level, at: null, message }];
  });
}
