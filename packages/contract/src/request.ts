import type { Endpoint } from "./endpoint.ts";
import { isList } from "./endpoints/lists.ts";
import {
  type DecodedBody,
  isSerializable,
  maxErrors,
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
  /** The body, if the server has already decoded it because it is long or not JSON. */
  readonly decoded?: DecodedBody | undefined;
}

export interface ParsedRequest {
  readonly params: object;
  readonly query: object;
  readonly body: unknown;
  /** Query parameters of a list of the contract that it does not have. */
  readonly ignored?: readonly string[];
  /** `dry_run=true`: nothing may be written. */
  readonly isDryRun?: true;
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
  const list = isList(endpoint);
  const isOwnList = list && endpoint.number === undefined;
  const fields = endpoint.query ?? (isOwnList ? {} : undefined);
  const known = Object.keys(fields ?? {}).join(", ") || "none";
  const unknownParameter = (name: string) => `Unknown parameter "${name}". Parameters of this list: ${known}`;
  const queryModel = fields && model("Query", fields, isOwnList ? { closed: unknownParameter } : {});
  const bodySchema = endpoint.body === "bytes" ? undefined : endpoint.body;
  const writes = endpoint.method !== "GET";

  return ({ params, url, body: bytes, contentType, decoded }) => {
    const read = bodySchema && (decoded ?? readBody(bytes ?? noBytes, contentType));
    if (read && ("errors" in read || "unreadable" in read)) return read;

    const errors: ValidationError[] = [];
    const path = pathModel?.check(params, ["path"], errors);
    const sent = queryModel && queryOf(url);
    const query = queryModel?.check(sent, ["query"], errors) ?? emptyQuery;
    const isDryRun = writes && url.includes("?") && readDryRun(url, errors);
    let body: unknown = bytes;
    if (read && "value" in read) body = bodySchema?.check(read.value, ["body"], errors);
    else if (read && !endpoint.bodyOptional) errors.push(missingField(["body"], null));
    else if (read) body = undefined;
    if (errors.length > maxErrors) errors.length = maxErrors;
    // NaN, an overflowing number or a lone surrogate cannot be echoed or stored.
    const unserializable = read && "value" in read && read.unserializable;
    if (unserializable && !isSerializable(errors.length > 0 ? errors : body)) {
      return { unreadable: "There was an error parsing the body" };
    }
    if (errors.length > 0) return { errors };
    const ignored = list && !isOwnList && sent ? unknownKeys(sent, endpoint.query) : [];
    const parsed = { params: path ? { ...params, ...path } : params, query, body };
    if (isDryRun) return { ...parsed, isDryRun };
    return ignored.length > 0 ? { ...parsed, ignored } : parsed;
  };
}

const unknownKeys = (sent: object, fields: object = {}) =>
  Object.keys(sent).filter((name) => !Object.hasOwn(fields, name));

/**
 * Whether a request asks for a dry run. Spellings that mean it are errors (`dryRun=true`, `dry_run=yes`, a repeated
 * `dry_run`): if they were ignored, the request would be carried out.
 */
function readDryRun(url: string, errors: ValidationError[]): boolean {
  const pairs = url.slice(url.indexOf("?") + 1).split("&");
  const meant = pairs.flatMap((pair) => [...parseQuery(pair)]).filter(([name]) => meansDryRun(name));
  const [first, ...others] = meant;
  if (!first) return false;
  const [name, value] = first;
  const report = (msg: string) =>
    errors.push({ type: "value_error", loc: ["query", name.slice(0, maxName)], msg, input: value });
  if (name !== "dry_run") report("The name of this parameter is dry_run.");
  else if (others.length > 0) report("dry_run was sent more than once.");
  else if (value !== "true" && value !== "false") report("dry_run must be true or false.");
  return value === "true";
}

const maxName = 100;
const meansDryRun = (name: string) => /^[\s_-]*dry[\s_-]*run[\s_-]*$/i.test(name);

function queryOf(url: string): Record<string, string> {
  const at = url.indexOf("?");
  return at < 0 ? {} : Object.fromEntries(parseQuery(url.slice(at + 1)));
}
