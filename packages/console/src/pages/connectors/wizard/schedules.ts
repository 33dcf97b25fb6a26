import type { Connector } from "@lakehelm/contract";
import { cronText } from "../../../format/schedule.ts";

export const paces = [
  ["hour", "every hour"],
  ["quarter", "every 15 minutes"],
  ["day", "every day"],
  ["weekday", "every weekday"],
  ["custom", "by a cron expression"],
  ["manual", "only when somebody starts it"],
] as const;
export type Pace = (typeof paces)[number][0];

/** A cron expression as a sentence; empty: it has no short description. */
export function cronSentence(cron: string | null): string {
  const words = cronText(cron ?? "") ?? "";
  return words === "" ? "" : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

/**
 * The choice that corresponds to a saved schedule. Without a schedule, it is every day at six. A draft has no schedule
 * before this step was opened; a connector that became manual keeps its cron expression.
 */
export function choiceOf({
  schedule_cron: cron,
  execution_mode: mode,
}: Pick<Connector, "schedule_cron" | "execution_mode">): { readonly pace: Pace; readonly time: string } {
  const usual = "06:00";
  if (cron === null) return { pace: "day", time: usual };
  if (mode === "manual") return { pace: "manual", time: usual };
  const [, minute = "", hour = ""] = /^(\d{1,2}) (\d{1,2}) /.exec(cron) ?? [];
  const time = hour === "" ? usual : `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  const [pace] = paces.find(([id]) => id !== "custom" && cronOf(id, time, "") === cron) ?? ["custom"];
  return { pace, time };
}

/** The cron expression of a choice; null: no schedule. The server validates the typed time or expression. */
export function cronOf(pace: Pace, time: string, custom: string): string | null {
  const [hour = "", minute = "0"] = time.trim().split(":");
  const at = `${minute.replace(/^0(?=\d)/, "")} ${hour.replace(/^0(?=\d)/, "")}`;
  switch (pace) {
    case "hour":
      return "0 * * * *";
    case "quarter":
      return "*/15 * * * *";
    case "day":
      return `${at} * * *`;
    case "weekday":
      return `${at} * * 1-5`;
    case "custom":
      return custom.trim();
    case "manual":
      return null;
  }
}
