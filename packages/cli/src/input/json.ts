import { decodeJson } from "@lakehelm/contract/client";

/** Parses JSON and keeps all digits of large integers; undefined if the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return decodeJson(text);
  } catch {
    return undefined;
  }
}
