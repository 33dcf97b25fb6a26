/** What starts the runs of a job: a short description, and the original expression. */
export interface Timing {
  readonly text: string;
  /** The cron expression with its time zone, if there is one. */
  readonly title?: string;
}

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

/** `zone`: the time zone; undefined if it is the environment's time zone. */
export function cronTiming(cron: string, zone: string | undefined): Timing {
  const text = cronText(cron) ?? cron;
  return {
    text: zone !== undefined && (text === cron || / at \d/.test(text)) ? `${text} ${zone}` : text,
    title: `${cron}, ${zone ?? "in the time zone of the environment"}`,
  };
}

/** A cron expression in words, such as `every weekday at 06:00`; undefined: it has no short description. */
export function cronText(cron: string): string | undefined {
  const fields = cron.trim().split(/\s+/);
  const [minute = "", hour = "", day = "", month = "", weekday = "", ...more] =
    fields.length === 6 && fields[0] === "0" ? fields.slice(1) : fields;
  if (more.length > 0 || fields.length < 5) return undefined;
  const date = dateText(day, month, weekday);
  if (date === undefined) return undefined;
  const times = timesOf(minute, hour);
  if (times !== undefined) return `${date} at ${times}`;
  const pace = paceOf(minute, hour);
  if (pace === undefined) return undefined;
  return date === "every day" ? pace : `${pace}, ${date}`;
}

/** The times of day, in words. */
function timesOf(minute: string, hour: string): string | undefined {
  const at = numberIn(minute, 0, 59);
  const hours = hour.split(",").map((one) => numberIn(one, 0, 23));
  if (at === undefined || hours.length > 4 || hours.includes(undefined)) return undefined;
  return listed(hours.map((one) => `${two(one)}:${two(at)}`));
}

/** The repetition within a day, in words. */
function paceOf(minute: string, hour: string): string | undefined {
  if (hour === "*") {
    const step = stepOf(minute, 60);
    if (step !== undefined) return step === 1 ? "every minute" : `every ${step} minutes`;
  }
  const at = numberIn(minute, 0, 59);
  const step = stepOf(hour, 24);
  if (at === undefined || step === undefined) return undefined;
  return `every ${step === 1 ? "hour" : `${step} hours`}${at === 0 ? "" : `, ${at} min past`}`;
}

function dateText(day: string, month: string, weekday: string): string | undefined {
  const isOpen = (field: string) => field === "*" || field === "?";
  if (!isOpen(weekday)) return isOpen(day) && month === "*" ? weekdaysText(weekday) : undefined;
  if (isOpen(day)) return month === "*" ? "every day" : undefined;
  const date = numberIn(day, 1, 31);
  if (date === undefined) return undefined;
  if (month === "*") return `on day ${date} of each month`;
  const name = months[(numberIn(month, 1, 12) ?? 0) - 1];
  return name === undefined ? undefined : `every ${date} ${name}`;
}

function weekdaysText(field: string): string | undefined {
  if (/^(1-5|MON-FRI)$/i.test(field)) return "every weekday";
  const names = field.split(",").map((one) => {
    const at = /^[0-7]$/.test(one)
      ? Number(one) % 7
      : days.findIndex((day) => day.slice(0, 3).toUpperCase() === one.toUpperCase());
    return days[at];
  });
  return names.includes(undefined) ? undefined : `every ${listed(names.map(String))}`;
}

function numberIn(text: string, first: number, last: number): number | undefined {
  const value = /^\d{1,2}$/.test(text) ? Number(text) : undefined;
  return value !== undefined && value >= first && value <= last ? value : undefined;
}

/** The step of a field if it divides the size: "every 7 minutes" of an hour does not mean every 7 minutes. */
function stepOf(field: string, size: number): number | undefined {
  if (field === "*") return 1;
  const step = Number(/^\*\/(\d{1,2})$/.exec(field)?.[1]);
  return step > 0 && step < size && size % step === 0 ? step : undefined;
}

const two = (value: number | undefined) => String(value).padStart(2, "0");
const listed = (texts: readonly string[]) =>
  texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;
