/** Measured: 16 bytes 50 ns by either, 48 bytes 114 ns by the loop and 38 ns by the call. */
const shortest = 24;

export function copyBytes(from: Buffer, start: number, length: number, to: Buffer, at: number): void {
  if (length >= shortest) from.copy(to, at, start, start + length);
  else for (let i = 0; i < length; i++) to[at + i] = from[start + i] ?? 0;
}
