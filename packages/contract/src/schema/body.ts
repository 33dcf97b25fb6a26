import { decodeJsonText, decodeUtf8 } from "./encoding.ts";
import type { Entry } from "./entry.ts";
import { decodeJson } from "./json.ts";

/** What the models get of a request's body, or the answer if it does not come that far (422, or 400). */
export type Body =
  | { none: true }
  | { value: unknown; unwritable?: true }
  | { entries: Entry[] }
  | { unreadable: string };

const unreadable = { unreadable: "There was an error parsing the body" };

export function readBody(bytes: Uint8Array, contentType: string | undefined): Body {
  if (bytes.length === 0) return { none: true };
  if (!isJson(contentType)) {
    // One string to the models, which then say that it is no object. There is no 415.
    const text = decodeUtf8(bytes);
    return text === undefined ? unreadable : { value: text };
  }
  const text = decodeJsonText(bytes);
  if (text === undefined) return unreadable;
  const decoded = decodeJson(text);
  if ("unreadable" in decoded) return unreadable;
  return "error" in decoded ? { entries: [jsonInvalid(decoded.error, decoded.offset)] } : decoded;
}

/** `application/json` or `application/…+json`; parameters do not count. */
function isJson(contentType = ""): boolean {
  const [mediaType = ""] = contentType.split(";", 1);
  const [main, subtype = "", ...more] = mediaType.trim().toLowerCase().split("/");
  return main === "application" && more.length === 0 && (subtype === "json" || subtype.endsWith("+json"));
}

function jsonInvalid(error: string, offset: number): Entry {
  return { type: "json_invalid", loc: ["body", offset], msg: "JSON decode error", input: {}, ctx: { error } };
}
