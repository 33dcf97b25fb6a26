import { DataProblem } from "../../protocol/problem.ts";
import type { ConnectionFinding } from "../../protocol/transfer.ts";

/** Tries something. What it answers is told, and so is a problem; anything else is an error of ours. */
async function toFinding(trying: () => Promise<string>): Promise<ConnectionFinding> {
  try {
    return { ok: true, sentence: await trying() };
  } catch (error) {
    if (!(error instanceof DataProblem)) throw error;
    return { ok: false, sentence: error.message };
  }
}

/** The target itself first; its tables only where that went well. */
export async function findings(
  target: () => Promise<string>,
  names: readonly string[],
  table: (name: string) => Promise<string>,
): Promise<ConnectionFinding[]> {
  const first = await toFinding(target);
  if (!first.ok) return [first];
  const rest: ConnectionFinding[] = [];
  for (const name of names) rest.push(await toFinding(() => table(name)));
  return [first, ...rest];
}
