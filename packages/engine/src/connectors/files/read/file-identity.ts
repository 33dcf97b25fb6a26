import { createHash } from "node:crypto";

/** 64 bits: among 200,000 files, two are equal by chance once in a billion folders. */
export const fileIdentity = (text: string): bigint =>
  createHash("sha256").update(text).digest().readBigUInt64BE();

/** A time in UTC, as the column of a file's time has it. */
export function timeText(microseconds: bigint): string {
  const seconds = new Date(Number(microseconds / 1000n)).toISOString().slice(0, 19).replace("T", " ");
  return `${seconds}.${String(microseconds % 1_000_000n).padStart(6, "0")}`;
}
