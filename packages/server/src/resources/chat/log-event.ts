import type { Sealed } from "../../core/events/log.ts";

/** An event of the log, as it was written. */
export interface LogEvent {
  readonly sequence: number;
  readonly id: string;
  readonly time: string;
  readonly actor: string;
  readonly kind: string;
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const readEvent = ({ sequence, body }: Sealed): LogEvent => ({
  ...(JSON.parse(body) as Omit<LogEvent, "sequence">),
  sequence,
});

/** A value of an event's data where it is a text. */
export const textIn = ({ data }: LogEvent, key: string): string | undefined => {
  const value = data[key];
  return typeof value === "string" ? value : undefined;
};

/** What a subject such as `run/<id>` names. */
export const idOf = (subject: string): string => subject.slice(subject.indexOf("/") + 1);
