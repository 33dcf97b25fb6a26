import { errorText } from "./duckdb-message.ts";

/**
 * In a callback of the engine, DuckDB wraps its error in JSON. A failed commit has another error, which quotes the
 * error about memory.
 */
const isOutOfMemory =
  /^(?:Out of Memory Error|Invalid Input Error: \{"exception_type":"Out of Memory"|TransactionContext Error: Failed to commit: (?:could not allocate|failed to (?:pin|allocate|offload)))/;

/** DuckDB's error about memory, with the subject that needed the memory. */
export class OutOfMemory extends Error {
  readonly subject: string;
  constructor(subject: string, cause: unknown) {
    super(errorText(cause), { cause });
    this.subject = subject;
  }
}

export const isMemoryError = (error: unknown): boolean => isOutOfMemory.test(errorText(error));

/** DuckDB's error about memory or temporary files as a sentence that names the setting; undefined for other errors. */
export function memoryProblem(error: unknown, subject: string, memoryMb: number): string | undefined {
  const message = errorText(error);
  if (!isOutOfMemory.test(message)) return undefined;
  if (message.includes("max_temp_directory_size")) {
    return `${subject} needs more temporary disk space than its limit. PLATFORM_WAREHOUSE_SPILL_MB sets the limit.`;
  }
  // Most allocations are blocks of 256 KiB. A large value needs its size at once.
  const [, size = "0", unit] = /of size (\d[\d.]*) ([MG]iB)/.exec(message) ?? [];
  const isLarge = Number(size) * (unit === "GiB" ? 1024 : 1) >= memoryMb / 2;
  const large = isLarge ? `: it asked for ${size} ${unit} at once` : "";
  return `${subject} needs more memory than its limit of ${memoryMb} MB${large}. PLATFORM_WAREHOUSE_MEMORY_MB sets the limit.`;
}
