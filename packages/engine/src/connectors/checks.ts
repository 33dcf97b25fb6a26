import { DataProblem } from "../protocol/problem.ts";
import type { ConnectionFinding } from "../protocol/transfer.ts";

/** Returns a sentence that says what works, or throws a DataProblem. */
export type ConnectionCheck = () => Promise<string>;

/** A check whose sentence is known before it runs. */
export const checkThat =
  (sentence: string, run: () => Promise<unknown>): ConnectionCheck =>
  async () => {
    await run();
    return sentence;
  };

/**
 * Runs the checks in order. If the first one, which opens the connection, fails, the others would fail for the same reason.
 */
export async function runChecks(
  first: ConnectionCheck,
  others: readonly ConnectionCheck[],
): Promise<ConnectionFinding[]> {
  const opened = await runCheck(first);
  if (!opened.ok) return [opened];
  const findings = [opened];
  for (const check of others) findings.push(await runCheck(check));
  return findings;
}

async function runCheck(check: ConnectionCheck): Promise<ConnectionFinding> {
  try {
    return { ok: true, sentence: await check() };
  } catch (error) {
    if (!(error instanceof DataProblem)) throw error;
    return { ok: false, sentence: error.message };
  }
}
