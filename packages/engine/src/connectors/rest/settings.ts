import type { Config } from "@lakehelm/contract/connections";
import {
  isMap,
  type Paging,
  type RestAuth,
  type RestDatasetRequest,
  readPaging,
  readRestAuth,
  readRestRequests,
  restDatasetProblem,
  restFields,
  restLimitFields,
} from "@lakehelm/contract/connections";
import { trimEnd } from "@lakehelm/contract/text";
import type { EgressRules } from "../../egress/egress.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { readSourceSettings } from "../settings.ts";

/** How to request an API. Plain values, because threads get them too. */
export interface RestSettings extends RequestDefaults {
  readonly egress: EgressRules;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The requests of datasets that differ from the defaults. */
  readonly requests: ReadonlyMap<string, RestDatasetRequest>;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly auth: RestAuth | undefined;
  /** The shortest time between two requests. */
  readonly pauseMs: number;
}

interface RequestDefaults {
  /** The path of the records in a response. */
  readonly recordsPath: readonly string[];
  readonly paging: Paging;
  readonly pageSize: number | undefined;
  /** The parameter for the watermark. */
  readonly watermarkParam: string | undefined;
}

/** The requests for a dataset. */
export interface RestRequest extends RequestDefaults {
  readonly address: string;
  /** Present if they are POST requests. */
  readonly body: Config | undefined;
}

export const restSourceFields = {
  ...restFields,
  url: restFields.url.refine((url) => {
    const { username, password } = new URL(url);
    return username || password ? "put the user and the password into the headers" : undefined;
  }),
  ...restLimitFields,
};

export const readRestSettings = (config: Config, egress: EgressRules): RestSettings =>
  readSourceSettings(restSourceFields, config, (values, problems) => ({
    egress,
    url: trimEnd(values.url, /\//),
    headers: { Accept: "application/json", ...values.headers },
    recordsPath: values.records_path?.split(".") ?? [],
    paging: readPaging(values.paging, problems),
    pageSize: values.page_size ?? values.batch_size,
    watermarkParam: values.watermark_param,
    requests: readRestRequests(values.requests, problems),
    timeoutMs: 1000 * values.timeout,
    retries: values.retries,
    auth: requireOneCredential(readRestAuth(values.auth, problems), values.headers, problems),
    pauseMs: values.requests_per_second === undefined ? 0 : 1000 / values.requests_per_second,
  }));

function requireOneCredential(
  auth: RestAuth | undefined,
  headers: Readonly<Record<string, string>>,
  problems: string[],
): RestAuth | undefined {
  if (auth && Object.keys(headers).some((name) => name.toLowerCase() === "authorization")) {
    problems.push("connection.config.auth: it makes the Authorization header, so headers must not have one.");
  }
  return auth;
}

/** The request for a dataset, with the parameters of every page. `path` is that of a child, with the keys of its parent. */
export function requestOf(settings: RestSettings, dataset: string, path?: string): RestRequest {
  const { url, requests } = settings;
  const own = requests.get(dataset);
  const below = path ?? own?.path ?? dataset;
  const problem = restDatasetProblem(below);
  if (problem) throw new DataProblem(`${JSON.stringify(below)} cannot be read: ${problem}`);
  const paging = own?.paging ?? settings.paging;
  const request: RestRequest = {
    address: `${url}/${below.replace(/^\/+/, "")}`,
    body: own?.body,
    recordsPath: own?.recordsPath?.split(".") ?? settings.recordsPath,
    paging,
    pageSize: own?.pageSize ?? settings.pageSize,
    watermarkParam: own?.watermarkParam ?? settings.watermarkParam,
  };
  const { pageSize } = request;
  return pageSize === undefined ? request : withParameter(request, paging.sizeParameter, pageSize);
}

/** The request with a parameter: in the query of its address, or in its body. */
export function withParameter(request: RestRequest, name: string, value: unknown): RestRequest {
  if (request.body) return { ...request, body: withValueAt(request.body, name.split("."), value) };
  const url = new URL(request.address);
  url.searchParams.set(name, String(value));
  return { ...request, address: url.href };
}

function withValueAt(map: Config, [key = "", ...rest]: readonly string[], value: unknown): Config {
  const { [key]: inner } = map;
  return {
    ...map,
    [key]: rest.length === 0 ? value : withValueAt(isMap(inner) ? inner : {}, rest, value),
  };
}

/** An address for messages. Parameters are left out. */
export const shownAddress = (address: string): string => address.split("?", 1)[0] ?? address;
