import { createHash } from "node:crypto";
import { DataProblem } from "../../protocol/problem.ts";
import { textOf } from "../source/json/cells.ts";
import { isRecord } from "../source/json/exact-json.ts";
import { fetchJson, type JsonResponse, sameServer } from "./json-client.ts";
import { type RestRequest, type RestSettings, shownAddress, withParameter } from "./settings.ts";

export interface RecordPage {
  readonly records: readonly unknown[];
  readonly bytes: number;
}

/** Reads page after page. The server says which page is the last; a page with few records is not. */
export async function* pages(
  request: RestRequest,
  settings: RestSettings,
  signal: AbortSignal,
): AsyncGenerator<RecordPage> {
  const { address } = request;
  const { parameter, first, nextPath, morePath, type } = request.paging;
  const fetchPage = async (at: RestRequest) => {
    const response = await fetchJson(at, settings, signal);
    return { response, page: { records: recordsOf(response, at), bytes: response.bytes } };
  };
  switch (type) {
    case "none":
      yield (await fetchPage(request)).page;
      return;
    case "page":
    case "offset": {
      let previous = "";
      for (let at = type === "page" ? first : 0; ; ) {
        const { page } = await fetchPage(withParameter(request, parameter, at));
        if (page.records.length === 0) return;
        const fingerprint = createHash("sha1").update(JSON.stringify(page.records)).digest("hex");
        if (fingerprint === previous) {
          throw new DataProblem(
            `${shownAddress(address)} returned the same records for two pages. Is ${JSON.stringify(parameter)} the right page parameter?`,
          );
        }
        previous = fingerprint;
        yield page;
        at += type === "page" ? 1 : page.records.length;
      }
    }
    case "cursor":
    case "link": {
      const visited = new Set<string>();
      for (let at = request; ; ) {
        const { response, page } = await fetchPage(at);
        yield page;
        const next =
          nextPath === null ? nextLink(response.headers) : valueAt(response.json, nextPath.split("."));
        if (next === undefined || next === null || next === "" || next === false) return;
        if (morePath !== null && !valueAt(response.json, morePath.split("."))) return;
        // In a body, the cursor keeps the type that the API gave it.
        const cursor = at.body && typeof next !== "object" ? next : textOf(next);
        const to: RestRequest =
          type === "link"
            ? { ...at, address: sameServer(textOf(next), at.address) }
            : withParameter(request, parameter, cursor);
        const target = type === "link" ? to.address : textOf(next);
        if (visited.has(target) || target === address) {
          throw new DataProblem(`${shownAddress(address)} links to the same page twice.`);
        }
        visited.add(target);
        at = to;
      }
    }
  }
}

export function valueAt(response: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    response,
  );
}

function recordsOf({ json }: JsonResponse, { address, recordsPath }: RestRequest): readonly unknown[] {
  const records = valueAt(json, recordsPath);
  if (Array.isArray(records)) return records;
  const failure = isRecord(json) && Array.isArray(json.errors) ? graphqlFailure(json.errors) : "";
  const where =
    recordsPath.length > 0
      ? ` at ${recordsPath.join(".")}`
      : ". Set connection.config.records_path to its location";
  throw new DataProblem(`The response of ${shownAddress(address)} has no list of records${where}.${failure}`);
}

/** GraphQL answers 200 with a list of errors. */
function graphqlFailure([first]: readonly unknown[]): string {
  const message = isRecord(first) && typeof first.message === "string" ? first.message : "";
  return message === "" ? "" : ` It reports: ${message.slice(0, 300)}`;
}

/** The address with rel=next in the Link header (RFC 8288). */
function nextLink(headers: Headers): string | undefined {
  for (const [, to, rest = ""] of (headers.get("Link") ?? "").matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (rest.split(";").some(isNextRelation)) return to;
  }
  return undefined;
}

/** Whether a parameter of a link is `rel=next`, `rel="next"` or `rel="prefetch next"`. */
function isNextRelation(parameter: string): boolean {
  const [name, value = ""] = parameter.split("=");
  return name?.trim().toLowerCase() === "rel" && /\bnext\b/i.test(value);
}
