import { DataProblem } from "../problem.ts";
import { plainMessage, type Warehouse } from "../warehouse/warehouse.ts";

/** What the author of some SQL, or its rows, have caused, in words; undefined: we have. */
export function explained(
  error: unknown,
  { memoryMb }: Pick<Warehouse, "memoryMb">,
): DataProblem | undefined {
  if (error instanceof DataProblem) return error;
  if (!(error instanceof Error) || !/^[A-Z][A-Za-z ]* Error: /.test(error.message)) return undefined;
  const sentence = /^Out of Memory Error: /.test(error.message)
    ? `It needs more than the ${memoryMb} MB of memory that it may use.`
    : plainMessage(error);
  return new DataProblem(sentence, { cause: error });
}
