import { decodeJson } from "@lakehelm/contract/client";

/** The value of a text in JSON, with all digits of large integers; undefined if it is something else. */
export function jsonIn(text: string): unknown {
  try {
    return decodeJson(text);
  } catch {
    return undefined;
  }
}
