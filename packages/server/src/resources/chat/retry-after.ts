const maxMs = 3_600_000;

/** The pause that a receiver requests with `Retry-After`, in seconds or as a date; at most an hour. */
export function retryAfterMs(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(0, ms), maxMs);
}
