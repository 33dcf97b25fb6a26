const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** `5 min ago`, `in 2 h`. */
export function relativeTime(at: string, nowMs: number): string {
  const difference = nowMs - Date.parse(at);
  if (Number.isNaN(difference)) return at;
  const size = Math.abs(difference);
  if (size < 10_000) return difference >= 0 ? "just now" : "in a moment";
  const [unit, ms] = units.find(([, length]) => size >= length) ?? units[3];
  const text = `${Math.floor(size / ms)} ${unit}`;
  return difference >= 0 ? `${text} ago` : `in ${text}`;
}

const formatter = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "medium",
});

/** In the viewer's time zone. */
export function localTime(at: string): string {
  const ms = Date.parse(at);
  return Number.isNaN(ms) ? at : formatter.format(ms);
}

const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

/** `14:05:09.250`, in the viewer's time zone. */
export function clockTime(at: string): string {
  const ms = Date.parse(at);
  return Number.isNaN(ms) ? at : `${clock.format(ms)}.${String(ms % 1_000).padStart(3, "0")}`;
}

const minutes = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** `03:13`, in the viewer's time zone. */
export const clockMinutes = (at: string): string => minutes.format(Date.parse(at));

const days = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  hour: "2-digit",
  minute: "2-digit",
});

/** `Wednesday, 18 November at 07:00`, in the viewer's time zone. */
export const dayAndTime = (at: string): string => days.format(Date.parse(at));

/** Whether a time is within 24 hours of now, so that the time of day identifies it. */
export const isOfToday = (at: string): boolean => Math.abs(Date.now() - Date.parse(at)) < 86_400_000;

/** `850 ms`, `4.2 s`, `3 min 5 s`, `2 h 10 min`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** The time between two instants; null: until now. */
export const between = (from: string, to: string | null, nowMs: number): number =>
  (to === null ? nowMs : Date.parse(to)) - Date.parse(from);
