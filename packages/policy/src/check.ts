import { Worker } from "node:worker_threads";
import type { PolicyInput, PolicyRule } from "./input.ts";

/** A violation of a rule by a step, or a rule that could not be evaluated. */
export interface PolicyResult {
  readonly policy: string;
  readonly level: PolicyRule["level"];
  /** The index of the input; null: the rule as a whole. */
  readonly at: number | null;
  readonly message: string;
}

export interface PolicyLimits {
  /**
   * The processor time for all rules; elapsed time does not count, because a busy machine must not deny a plan. The
   * limit of elapsed time is a minute.
   */
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

/**
 * The thread first sends the processor time it has used so far, in microseconds; then the results of each rule when it
 * is done.
 */
export type ThreadMessage =
  | { readonly loading: number }
  | { readonly done: number; readonly results: readonly PolicyResult[] };

const longestMs = 60_000;

/**
 * Evaluates rules over steps. A rule may compare every item of a list with every other, nested, or match a hostile
 * pattern. So rules run on a thread, which is terminated after a time limit or if it needs too much memory. A rule that
 * was not evaluated counts as violated: otherwise a plan could pass because a rule that denies it is slow.
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
    /** The processor time in microseconds that loading the thread took. */
    let loading = Number.POSITIVE_INFINITY;
    const watch = setInterval(
      async () => {
        // A thread that has ended does not answer.
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
