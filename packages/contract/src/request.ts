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
export interface SentRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly url: string;
  readonly body: Uint8Array | undefined;
  readonly contentType: string | undefined;
  /** The decoded body, if it is not JSON and the server has decoded it. */
  readonly decoded?: DecodedBody | undefined;
}

export interface ReadRequest {
  readonly params: object;
  readonly query: object;
  readonly body: unknown;
}

/** The parsed request, the validation errors (422), or why the body cannot be parsed (400). */
export type Reading = ReadRequest | { readonly entries: ValidationError[] } | { readonly unreadable: string };

const noBytes = new Uint8Array(0);
const emptyQuery = {};

/**
 * Parses requests of an endpoint, in FastAPI's order: if the body is not JSON, only that is reported. Otherwise
 * path, query and body are checked, and all errors are reported together.
 */
export function requestReader(endpoint: Endpoint): (sent: SentRequest) => Reading {
  const pathModel = endpoint.params && model("Path", endpoint.params);
  const queryModel = endpoint.query && model("Query", endpoint.query);
  const bodySchema = endpoint.body === "bytes" ? undefined : endpoint.body;

  return ({ params, url, body: bytes, contentType, decoded }) => {
    const read = bodySchema && (decoded ?? readBody(bytes ?? noBytes, contentType));
    if (read && ("entries" in read || "unreadable" in read)) return read;

    const entries: ValidationError[] = [];
    const path = pathModel?.check(params, ["path"], entries);
    const query = queryModel?.check(queryOf(url), ["query"], entries) ?? emptyQuery;
    let body: unknown = bytes;
    if (read && "value" in read) body = bodySchema?.check(read.value, ["body"], entries);
    else if (read && !endpoint.bodyOptional) entries.push(missingField(["body"], null));
    else if (read) body = undefined;
    // NaN, an overflowing number or a lone surrogate cannot be echoed or stored.
    const unserializable = read && "value" in read && read.unserializable;
    if (unserializable && !isSerializable(entries.length > 0 ? entries : body)) {
      return { unreadable: "There was an error parsing the body" };
    }
    return entries.length > 0 ? { entries } : { params: path ? { ...params, ...path } : params, query, body };
  };
}

function queryOf(url: string): Record<string, string> {
  const at = url.indexOf("?");
  return at < 0 ? {} : Object.fromEntries(parseQuery(url.slice(at + 1)));
}
