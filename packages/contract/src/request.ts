import type { Endpoint } from "./endpoint.ts";
import {
  type DecodedBody,
  isSerializable,
  missingField,
  model,
  parseQuery,
  readBody,
  type ValidationError,
} from "./schema/index.ts";

/** A raw request. Only the path parameters are decoded. */
export interface RawRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly url: string;
  readonly body: Uint8Array | undefined;
  readonly contentType: string | undefined;
  /** The decoded body, if it is not JSON and the server has decoded it. */
  readonly decoded?: DecodedBody | undefined;
}

export interface ParsedRequest {
  readonly params: object;
  readonly query: object;
  readonly body: unknown;
}

/** The parsed request, the validation errors (422), or why the body cannot be parsed (400). */
export type RequestParseResult =
  | ParsedRequest
  | { readonly errors: ValidationError[] }
  | { readonly unreadable: string };

const noBytes = new Uint8Array(0);
const emptyQuery = {};

/**
 * Parses requests of an endpoint, in FastAPI's order: if the body is not JSON, only that is reported. Otherwise
 * path, query and body are checked, and all errors are reported together.
 */
export function requestParser(endpoint: Endpoint): (sent: RawRequest) => RequestParseResult {
  const pathModel = endpoint.params && model("Path", endpoint.params);
  const queryModel = endpoint.query && model("Query", endpoint.query);
  const bodySchema = endpoint.body === "bytes" ? undefined : endpoint.body;

  return ({ params, url, body: bytes, contentType, decoded }) => {
    const read = bodySchema && (decoded ?? readBody(bytes ?? noBytes, contentType));
    if (read && ("errors" in read || "unreadable" in read)) return read;

    const errors: ValidationError[] = [];
    const path = pathModel?.check(params, ["path"], errors);
    const query = queryModel?.check(queryOf(url), ["query"], errors) ?? emptyQuery;
    let body: unknown = bytes;
    if (read && "value" in read) body = bodySchema?.check(read.value, ["body"], errors);
    else if (read && !endpoint.bodyOptional) errors.push(missingField(["body"], null));
    else if (read) body = undefined;
    // NaN, an overflowing number or a lone surrogate cannot be echoed or stored.
    const unserializable = read && "value" in read && read.unserializable;
    if (unserializable && !isSerializable(errors.length > 0 ? errors : body)) {
      return { unreadable: "There was an error parsing the body" };
    }
    return errors.length > 0 ? { errors } : { params: path ? { ...params, ...path } : params, query, body };
  };
}

function queryOf(url: string): Record<string, string> {
  const at = url.indexOf("?");
  return at < 0 ? {} : Object.fromEntries(parseQuery(url.slice(at + 1)));
}
