import type { Config } from "@lakehelm/contract/connections";
import {
  field,
  type Paging,
  type RestAuth,
  readPaging,
  readRestAuth,
  restDatasetProblem,
  restFields,
} from "@lakehelm/contract/connections";
import { trimEnd } from "@lakehelm/contract/text";
import type { EgressRules } from "../../egress/egress.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { readSourceSettings } from "../settings.ts";

/** How to request an API. Plain values, because threads get them too. */
export interface RestSettings {
  readonly egress: EgressRules;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The path of the records in a response. */
  readonly recordsPath: readonly string[];
  readonly paging: Paging;
  readonly pageSize: number | undefined;
  /** The query parameter for the watermark. */
  readonly watermarkParam: string | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly auth: RestAuth | undefined;
  /** The shortest time between two requests. */
  readonly pauseMs: number;
}

const fields = {
  ...restFields,
  url: restFields.url.refine((url) => {
    const { username, password } = new URL(url);
    return username || password ? "put the user and the password into the headers" : undefined;
  }),
  timeout: field.integer(1, 3600).default(60),
  retries: field.integer(0, 20).default(5),
};

export const readRestSettings = (config: Config, egress: EgressRules): RestSettings =>
  readSourceSettings(fields, config, (values, problems) => ({
    egress,
    url: trimEnd(values.url, /\//),
    headers: { Accept: "application/json", ...values.headers },
    recordsPath: values.records_path?.split(".") ?? [],
    paging: readPaging(values.paging, problems),
    pageSize: values.page_size ?? values.batch_size,
    watermarkParam: values.watermark_param,
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

/** The address of a dataset below the connection's URL, with the parameters of every request. */
export function addressOf({ url, pageSize, paging }: RestSettings, dataset: string): string {
  const problem = restDatasetProblem(dataset);
  if (problem) throw new DataProblem(`${JSON.stringify(dataset)} cannot be read: ${problem}`);
  const address = `${url}/${dataset.replace(/^\/+/, "")}`;
  return pageSize === undefined ? address : withParameter(address, paging.sizeParameter, String(pageSize));
}

export function withParameter(address: string, name: string, value: string): string {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url.href;
}

/** An address for messages. Parameters are left out. */
export const shownAddress = (address: string): string => address.split("?", 1)[0] ?? address;
