import { any } from "../schema/index.ts";
import { shown } from "../text/display.ts";
import { isConnectionHeader } from "./connection-headers.ts";
import { byHeader, byName, credential } from "./credentials.ts";
import { integer, number, options, plainText } from "./fields.ts";
import { isSecretKey } from "./secret-keys.ts";

const isBaseUrl = (url: string) => /^https?:\/\/[^/?#\s][^?#\s]*$/i.test(url) && URL.canParse(url);

/** The config of a REST API that rows are read from. */
export const restFields = {
  url: plainText().refine((url) =>
    isBaseUrl(url) ? undefined : "expected a URL such as https://api.example.com/v1",
  ),
  headers: credential(options(), byHeader).refine((headers) => {
    const reserved = Object.keys(headers).filter(isConnectionHeader).map(shown).join(", ");
    if (reserved !== "") return `${reserved} is set by the connector itself`;
    const invalid = Object.entries(headers).filter((header) => !isHeader(header));
    const names = invalid.map(([name]) => shown(name)).join(", ");
    return invalid.length > 0 ? `${names} cannot be sent as a header` : undefined;
  }),
  records_path: plainText().optional(),
  page_size: integer(1, 1_000_000).optional(),
  batch_size: integer(1, 1_000_000).optional(),
  watermark_param: plainText().optional(),
  /** See `readPaging`. */
  paging: any().optional(),
  /** See `readRestAuth`. */
  auth: credential(any(), (path) => path[0] === "client_secret" || byName(path)).optional(),
  /** See `readRestRequests`. Only bodies have credentials. */
  requests: credential(any(), ([, key, ...path]) => key === "body" && byName(path)).optional(),
  requests_per_second: number(0.01, 1000).optional(),
};

/** Additional fields of an API that the engine reads. */
export const restLimitFields = {
  timeout: integer(1, 3600).default(60),
  retries: integer(0, 20).default(5),
};

const isHeader = ([name, value]: readonly [string, string]) =>
  /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && !/[^\t -~\u00a0-\u00ff]/.test(value);

/** Why a dataset cannot be read: its path must stay below the connection's URL and contain no credentials. */
export function restDatasetProblem(dataset: string): string | undefined {
  if (dataset === "" || /[\s\\#]|\p{Cc}/u.test(dataset)) {
    return "expected a path below the connection's url, without blanks, backslashes and #.";
  }
  const [path = "", query = ""] = dataset.split("?");
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith("//")) return "it is a URL of its own.";
  if (/(^|\/)(\.|%2e){2}(\/|$)/i.test(path)) return "it leaves the connection's url.";
  return [...new URLSearchParams(query).keys()].some(isSecretKey)
    ? "a URL must not contain a secret. Put it into connection.config.headers."
    : undefined;
}
