import { DataProblem } from "../../protocol/problem.ts";
import type { ConnectionFinding } from "../../protocol/transfer.ts";

interface ConnectionCheck {
  /** The finding if the check succeeds. */
  readonly sentence: string;
  run(): Promise<unknown>;
}

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

async function runCheck({ sentence, run }: ConnectionCheck): Promise<ConnectionFinding> {
  try {
    await run();
    return { ok: true, sentence };
  } catch (error) {
    if (!(error instanceof DataProblem)) throw error;
    return { ok: false, sentence: error.message };
  }
}
