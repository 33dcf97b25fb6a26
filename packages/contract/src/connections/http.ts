import { shown } from "../text/display.ts";
import { isConnectionHeader } from "./connection-headers.ts";
import { byHeader, credential } from "./credentials.ts";
import { integer, oneOf, options, text } from "./fields.ts";

/** The config of an HTTP endpoint that rows are sent to. */
export const httpFields = {
  url: text().refine((url) =>
    ["https:", "http:"].includes(URL.parse(url)?.protocol ?? "")
      ? undefined
      : "expected an http or https URL",
  ),
  // A value may be a secret, so messages contain names only.
  headers: credential(options(), byHeader).refine((headers) => {
    const problems = Object.entries(headers).flatMap(headerProblem);
    return problems.length > 0 ? problems.join(", ") : undefined;
  }),
  batch_size: integer(1, 100_000).default(500),
};

/** The further config of an endpoint that Lakehelm itself sends to. */
export const httpMethodFields = { method: oneOf("post", "put", "patch").default("post") };

const reservedHeaders = ["content-type", "idempotency-key"];

function headerProblem([name, value]: readonly [string, string]): string[] {
  if (reservedHeaders.includes(name.toLowerCase()) || isConnectionHeader(name))
    return [`${shown(name)} is set by the connector itself`];
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return [`${shown(name)} cannot be the name of a header`];
  return /^[\x20-\x7e]*$/.test(value) ? [] : [`${shown(name)} has a value that a header cannot have`];
}
