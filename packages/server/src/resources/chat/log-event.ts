import type { SealedEvent } from "../../core/events/log.ts";

/** A stored event of the log. */
export interface LogEvent {
  readonly sequence: number;
  readonly id: string;
  readonly time: string;
  readonly actor: string;
  readonly kind: string;
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const readEvent = ({ sequence, body }: SealedEvent): LogEvent => ({
  ...(JSON.parse(body) as Omit<LogEvent, "sequence">),
  sequence,
});

/** A value of an event's data, if it is a string. */
export const textIn = ({ data }: LogEvent, key: string): string | undefined => {
  const value = data[key];
  return typeof value === "string" ? value : undefined;
};
