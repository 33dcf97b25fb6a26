import { DataProblem } from "../../protocol/problem.ts";
import type { ConnectionFinding } from "../../protocol/transfer.ts";

/** A finding with the returned sentence, or with a DataProblem's message. Other errors are thrown. */
async function toFinding(check: () => Promise<string>): Promise<ConnectionFinding> {
  try {
    return { ok: true, sentence: await check() };
  } catch (error) {
    if (!(error instanceof DataProblem)) throw error;
    return { ok: false, sentence: error.message };
  }
}

/** Checks the target first, and its tables only if that succeeds. */
export async function checkTarget(
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
