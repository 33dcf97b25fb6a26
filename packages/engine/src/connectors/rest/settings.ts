import { isSecretKey, type readPaging as Read, readPaging } from "@lakehelm/contract/connections";
import { DataProblem } from "../../protocol/problem.ts";
import { type ConnectorConfig, readSettings } from "../source/context.ts";

/** How an API is asked. Plain values: a thread gets them too. */
export interface RestSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Where in an answer its records are. */
  readonly recordsPath: readonly string[];
  readonly paging: ReturnType<typeof Read>;
  readonly pageSize: number | undefined;
  /** The parameter that takes the mark. */
  readonly watermarkParam: string | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
}

const keys = [
  "url",
  "headers",
  "records_path",
  "paging",
  "page_size",
  "batch_size",
  "watermark_param",
  "timeout",
  "retries",
];

export const readRestSettings = (config: ConnectorConfig): RestSettings =>
  readSettings(config, keys, (reader) => {
    const url = reader.plain("url") ?? "";
    const read = URL.parse(url);
    if (!/^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(url) || read === null) {
      reader.problems.push("connection.config.url: expected an address such as https://api.example.com/v1.");
    } else if (read.username !== "" || read.password !== "") {
      reader.problems.push("connection.config.url: put the user and the password into the headers.");
    }
    const headers = reader.options("headers");
    for (const [name, value] of Object.entries(headers)) {
      if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || /[^\t -~\u00a0-\u00ff]/.test(value)) {
        reader.problems.push(
          `connection.config.headers: ${JSON.stringify(name)} cannot be sent as a header.`,
        );
      }
    }
    return {
      url: url.replace(/\/+$/, ""),
      headers: { Accept: "application/json", ...headers },
      recordsPath: reader.plain("records_path")?.split(".") ?? [],
      paging: readPaging(reader.value("paging"), reader.problems),
      pageSize: reader.count("page_size", 1, 1_000_000) ?? reader.count("batch_size", 1, 1_000_000),
      watermarkParam: reader.plain("watermark_param"),
      timeoutMs: 1000 * (reader.count("timeout", 1, 3600) ?? 60),
      retries: reader.count("retries", 0, 20) ?? 5,
    };
  });

/** Where a dataset is: below the connection's address, with the parameters that stand in every request. */
export function addressOf({ url, pageSize, paging }: RestSettings, dataset: string): string {
  const problem = datasetProblem(dataset);
  if (problem) throw new DataProblem(`${JSON.stringify(dataset)} cannot be read: ${problem}`);
  const address = `${url}/${dataset.replace(/^\/+/, "")}`;
  return pageSize === undefined ? address : withParameter(address, paging.sizeParameter, String(pageSize));
}

export function withParameter(address: string, name: string, value: string): string {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url.href;
}

/** What can be said of an address aloud: parameters may be long, and of no interest to others. */
export const shownAddress = (address: string): string => address.split("?", 1)[0] ?? address;

function datasetProblem(dataset: string): string | undefined {
  if (dataset === "" || /[\s\\#]|\p{Cc}/u.test(dataset)) {
    return "expected a path below the connection's url, without blanks, backslashes and #.";
  }
  const [path = "", query = ""] = dataset.split("?");
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith("//")) return "it is an address of its own.";
  if (/(^|\/)(\.|%2e){2}(\/|$)/i.test(path)) return "it leaves the connection's url.";
  return [...new URLSearchParams(query).keys()].some(isSecretKey)
    ? "a secret may not stand in an address. Put it into connection.config.headers."
    : undefined;
}
