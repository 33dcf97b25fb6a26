const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface Tick {
  readonly atMs: number;
  readonly text: string;
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric" });

/**
 * Round times of day in the viewer's time zone, for a period that ends now: every 15 minutes, hour, three hours or day.
 */
export function ticksOf(hours: number, nowMs: number): readonly Tick[] {
  const stepMinutes = hours <= 1 ? 15 : hours <= 6 ? 60 : hours <= 24 ? 180 : 1_440;
  const at = new Date(nowMs);
  const midnight = new Date(at).setHours(0, 0, 0, 0);
  const sinceMidnight = Math.floor((nowMs - midnight) / minuteMs);
  at.setHours(0, Math.floor(sinceMidnight / stepMinutes) * stepMinutes, 0, 0);
  const ticks: Tick[] = [];
  while (at.getTime() >= nowMs - hours * hourMs) {
    const isMidnight = at.getHours() === 0 && at.getMinutes() === 0;
    ticks.unshift({ atMs: at.getTime(), text: isMidnight ? day.format(at) : clock.format(at) });
    at.setMinutes(at.getMinutes() - stepMinutes);
  }
  return ticks;
}
