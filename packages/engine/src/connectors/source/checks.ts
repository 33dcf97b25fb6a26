import { DataProblem } from "../../protocol/problem.ts";
import type { ConnectionFinding } from "../../protocol/transfer.ts";

interface ConnectionCheck {
  /** What is told when it works. */
  readonly sentence: string;
  run(): Promise<unknown>;
}

/** Tries one after the other. Where the first fails, which opens the connection, the others would fail for the same reason. */
export async function runChecks(
  opening: ConnectionCheck,
  trials: readonly ConnectionCheck[],
): Promise<ConnectionFinding[]> {
  const first = await tried(opening);
  if (!first.ok) return [first];
  const findings = [first];
  for (const trial of trials) findings.push(await tried(trial));
  return findings;
}

async function tried({ sentence, run }: ConnectionCheck): Promise<ConnectionFinding> {
  try {
    await run();
    return { ok: true, sentence };
  } catch (error) {
    if (!(error instanceof DataProblem)) throw error;
    return { ok: false, sentence: error.message };
  }
}
