import { decodeJsonText, decodeUtf8 } from "./encoding.ts";
import { decodeJson } from "./json.ts";
import type { ValidationError } from "./validation-error.ts";

/** The decoded body of a request, or its errors: 422 for `errors`, 400 for `unreadable`. */
export type DecodedBody =
  | { none: true }
  | { value: unknown; unserializable?: true }
  | { errors: ValidationError[] }
  | { unreadable: string };

const unreadable = { unreadable: "There was an error parsing the body" };

export function readBody(bytes: Uint8Array, contentType: string | undefined): DecodedBody {
  if (bytes.length === 0) return { none: true };
  if (!isJson(contentType)) {
    // As in FastAPI there is no 415: the schema gets a string and reports that it is not an object.
    const text = decodeUtf8(bytes);
    return text === undefined ? unreadable : { value: text };
  }
  const text = decodeJsonText(bytes);
  if (text === undefined) return unreadable;
  const decoded = decodeJson(text);
  if ("unreadable" in decoded) return unreadable;
  return "error" in decoded ? { errors: [jsonInvalid(decoded.error, decoded.offset)] } : decoded;
}

/** `application/json` or `application/…+json`, with any parameters. */
function isJson(contentType = ""): boolean {
  const [mediaType = ""] = contentType.split(";", 1);
  const [main, subtype = "", ...more] = mediaType.trim().toLowerCase().split("/");
  return main === "application" && more.length === 0 && (subtype === "json" || subtype.endsWith("+json"));
}

function jsonInvalid(error: string, offset: number): ValidationError {
  return { type: "json_invalid", loc: ["body", offset], msg: "JSON decode error", input: {}, ctx: { error } };
}
