import type { Endpoint } from "@lakehelm/contract";
import { type Entry, isWritable, missing, model, parseQuery, readBody } from "@lakehelm/contract/schema";

export type Validated =
  | { readonly params: object; readonly query: object; readonly body: unknown }
  | { readonly entries: Entry[] }
  | { readonly unreadable: string };

export type Validate = (
  params: Readonly<Record<string, string>>,
  url: string,
  body: Buffer | undefined,
  contentType: string | undefined,
) => Validated;

const noBytes = new Uint8Array(0);
const nothing = {};

/**
 * Checks a request against its endpoint, in the order FastAPI does: a body that is no JSON ends it;
 * otherwise path, query and body are all checked, and all that is wrong is told at once.
 */
export function validatorOf(endpoint: Endpoint): Validate {
  const pathModel = endpoint.params && model("Path", endpoint.params);
  const queryModel = endpoint.query && model("Query", endpoint.query);
  const bodySchema = endpoint.body === "bytes" ? undefined : endpoint.body;

  return (params, url, bytes, contentType) => {
    const read = bodySchema && readBody(bytes ?? noBytes, contentType);
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
