import type { SealedEvent } from "./verification.ts";

/** An event as responses and archives have it: the sealed text between its sequence and its hash. */
export const eventText = ({
  sequence,
  body,
  hash,
}: Pick<SealedEvent, "sequence" | "body" | "hash">): string =>
  `{"sequence":${sequence},${body.slice(1, -1)},"hash":"${hash}"}`;

const parts = /^\{"sequence":(\d{1,15}),(.*),"hash":"([\w-]*)"\}$/s;

/** The parts of the text of an event; undefined if the text is not an event. */
export function parseEventText(text: string): Pick<SealedEvent, "sequence" | "body" | "hash"> | undefined {
  const found = parts.exec(text);
  if (!found) return undefined;
  return { sequence: Number(found[1]), body: `{${found[2]}}`, hash: found[3] ?? "" };
}
