import { OutboundError } from "./outbound-error.ts";

/** Parses a URL from a caller; error messages never repeat it, because it may be a secret. */
export function readUrl(text: string): URL {
  if (!URL.canParse(text)) throw new OutboundError("It is not a URL such as https://example.com/path.");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new OutboundError("Only http and https URLs can be called.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new OutboundError("A URL must not contain a user or a password. Send a header instead.");
  }
  return url;
}

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

export const portOf = ({ port, protocol }: URL): number => Number(port || defaultPorts[protocol]);
