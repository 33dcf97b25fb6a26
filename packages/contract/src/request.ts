import type { Endpoint } from "./endpoint.ts";
import { type Body, type Entry, isWritable, missing, model, parseQuery, readBody } from "./schema/index.ts";

/** A request as it arrived: its path values decoded, its query and body as they were sent. */
export interface SentRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly url: string;
  readonly body: Uint8Array | undefined;
  readonly contentType: string | undefined;
  /** What a body of another kind than JSON holds, where somebody has read it already. */
  readonly decoded?: Body | undefined;
}

export interface ReadRequest {
  readonly params: object;
  readonly query: object;
  readonly body: unknown;
}

/** What came of reading it: the values, the entries of a 422, or the sentence of a 400. */
export type Reading = ReadRequest | { readonly entries: Entry[] } | { readonly unreadable: string };

const noBytes = new Uint8Array(0);
const nothing = {};

/**
 * Reads requests by their endpoint, in the order FastAPI does: a body that is no JSON ends it; otherwise path,
 * query and body are all checked, and all that is wrong is told at once.
 */
export function requestReader(endpoint: Endpoint): (sent: SentRequest) => Reading {
  const pathModel = endpoint.params && model("Path", endpoint.params);
  const queryModel = endpoint.query && model("Query", endpoint.query);
  const bodySchema = endpoint.body === "bytes" ? undefined : endpoint.body;

  return ({ params, url, body: bytes, contentType, decoded }) => {
    const read = bodySchema && (decoded ?? readBody(bytes ?? noBytes, contentType));
    if (read && ("entries" in read || "unreadable" in read)) return read;

    const entries: Entry[] = [];
    const path = pathModel?.check(params, ["path"], entries);
    const query = queryModel?.check(sentQuery(url), ["query"], entries) ?? nothing;
    let body: unknown = bytes;
    if (read && "value" in read) body = bodySchema?.check(read.value, ["body"], entries);
    else if (read && !endpoint.bodyOptional) entries.push(missing(["body"], null));
    else if (read) body = undefined;
    // NaN, an overflowing number or half a surrogate pair: no answer could carry it back.
    const unwritable = read && "value" in read && read.unwritable;
    if (unwritable && !isWritable(entries.length > 0 ? entries : body)) {
      return { unreadable: "There was an error parsing the body" };
    }
    return entries.length > 0 ? { entries } : { params: path ? { ...params, ...path } : params, query, body };
  };
}

function sentQuery(url: string): Record<string, string> {
  const at = url.indexOf("?");
  return at < 0 ? {} : Object.fromEntries(parseQuery(url.slice(at + 1)));
}
