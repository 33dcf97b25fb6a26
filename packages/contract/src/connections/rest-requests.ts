import { any } from "../schema/index.ts";
import { shown } from "../text/display.ts";
import { type Config, isMap, readFields } from "./config.ts";
import { integer, oneOf, options, plainText } from "./fields.ts";
import { type Paging, readPaging } from "./paging.ts";
import { restDatasetProblem } from "./rest.ts";

/** How the requests for one dataset of a REST API differ from those for other datasets. */
export interface RestDatasetRequest {
  /** The path below the connection's URL. `{name}` is replaced by a key of the parent. */
  readonly path: string;
  /** The JSON body of a POST; undefined: the request is a GET. Parameters are paths in the body. */
  readonly body: Config | undefined;
  readonly recordsPath: string | undefined;
  readonly paging: Paging | undefined;
  readonly pageSize: number | undefined;
  readonly watermarkParam: string | undefined;
  readonly parent: RestParent | undefined;
}

/** The dataset whose rows are the parents: one request is made for each of them. */
export interface RestParent {
  readonly dataset: string;
  /** Maps columns of the child to the fields of the parent that they contain. */
  readonly keys: Readonly<Record<string, string>>;
  /** A field of the parent that grows when a child of that parent changes. */
  readonly watermarkColumn: string | undefined;
  /** How many parents are requested at the same time. */
  readonly concurrency: number;
}

const requestFields = {
  path: plainText().optional(),
  method: oneOf("get", "post").default("get"),
  body: any().optional(),
  records_path: plainText().optional(),
  paging: any().optional(),
  page_size: integer(1, 1_000_000).optional(),
  watermark_param: plainText().optional(),
  parent: any().optional(),
};

const parentFields = {
  dataset: plainText(),
  keys: options(),
  watermark_column: plainText().optional(),
  concurrency: integer(1, 16).default(4),
};

const place = "connection.config.requests";
const placeholder = /\{([^{}]*)\}/g;
const maxBodyCharacters = 100_000;

/** Fills a key of the parent into each placeholder of the path. */
export const childPath = (path: string, textOf: (key: string) => string): string =>
  path.replaceAll(placeholder, (_, key: string) => encodeURIComponent(textOf(key).toWellFormed()));

/** The keys of the parent that a path contains. */
export const pathKeys = (path: string): string[] =>
  [...path.matchAll(placeholder)].map(([, key = ""]) => key);

/** Reads `requests` of a REST connection: a map from the names of datasets to their requests. */
export function readRestRequests(
  value: unknown,
  problems: string[],
): ReadonlyMap<string, RestDatasetRequest> {
  const requests = new Map<string, RestDatasetRequest>();
  if (value === undefined || value === null) return requests;
  if (!isMap(value)) {
    problems.push(`${place}: it must be a map from the names of datasets to their requests.`);
    return requests;
  }
  for (const [name, config] of Object.entries(value)) {
    const at = `${place}.${shown(name)}`;
    if (!isMap(config)) problems.push(`${at}: it must be a map.`);
    else requests.set(name, readRequest(name, config, at, problems));
  }
  for (const [name, { parent }] of requests) {
    if (!parent || (parent.dataset !== name && !requests.get(parent.dataset)?.parent)) continue;
    problems.push(`${place}.${shown(name)}.parent.dataset: a parent must not have a parent itself.`);
  }
  return requests;
}

function readRequest(name: string, config: Config, at: string, problems: string[]): RestDatasetRequest {
  const { values, problems: found } = readFields(requestFields, config, at);
  requireKnown(config, requestFields, at, found);
  const { path = name, method, paging } = values;
  const parent = readParent(values.parent, at, found);
  if (parent && pathKeys(path).length === 0)
    found.push(`${at}.path: it has no key of the parent, such as customers/{customer_id}/orders.`);
  for (const key of pathKeys(path)) {
    if (!parent) found.push(`${at}.path: {${key}} stands for a key of a parent, and there is no parent.`);
    else if (!Object.hasOwn(parent.keys, key)) found.push(`${at}.parent.keys: ${shown(key)} is missing.`);
  }
  const problem = restDatasetProblem(childPath(path, () => "x"));
  if (problem) found.push(`${at}.path: ${problem}`);
  const body = readBody(values.body, method, at, found);
  const read = {
    path,
    body,
    recordsPath: values.records_path,
    paging: paging === undefined || paging === null ? undefined : readPaging(paging, found, `${at}.paging`),
    pageSize: values.page_size,
    watermarkParam: values.watermark_param,
    parent,
  };
  problems.push(...found);
  return read;
}

function readBody(
  value: unknown,
  method: "get" | "post",
  at: string,
  problems: string[],
): Config | undefined {
  if (method === "get") {
    if (value !== undefined && value !== null)
      problems.push(`${at}.body: it is sent only with the method POST.`);
    return undefined;
  }
  const body = value ?? {};
  if (!isMap(body)) {
    problems.push(`${at}.body: it must be a map, which is sent as JSON.`);
    return {};
  }
  if (JSON.stringify(body).length > maxBodyCharacters)
    problems.push(`${at}.body: it must have at most ${maxBodyCharacters} characters.`);
  return body;
}

function readParent(value: unknown, at: string, problems: string[]): RestParent | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isMap(value)) {
    problems.push(`${at}.parent: it must be a map with dataset and keys.`);
    return undefined;
  }
  const { values, problems: found } = readFields(parentFields, value, `${at}.parent`);
  requireKnown(value, parentFields, `${at}.parent`, found);
  if (Object.keys(values.keys).length === 0)
    found.push(`${at}.parent.keys: name at least one column, such as {"customer_id": "id"}.`);
  problems.push(...found);
  return {
    dataset: values.dataset,
    keys: values.keys,
    watermarkColumn: values.watermark_column,
    concurrency: values.concurrency,
  };
}

function requireKnown(config: Config, fields: object, at: string, problems: string[]): void {
  const known = Object.keys(fields);
  for (const key of Object.keys(config).filter((one) => !known.includes(one)))
    problems.push(`${at}: ${shown(key)} is not a setting. Expected ${known.join(", ")}.`);
}
