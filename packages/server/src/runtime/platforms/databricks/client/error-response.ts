import { WorkspaceError, type WorkspaceErrorKind } from "./workspace-error.ts";

/** Longer texts of a workspace are cut in messages. */
const longestText = 1_000;

/** The response of a workspace that is not a success. */
export interface ErrorResponse {
  readonly status: number;
  readonly body: string;
  readonly retryAfter?: string | undefined;
  /** Secrets of the request: no message repeats them. */
  readonly secrets: readonly string[];
}

interface ErrorText {
  readonly code: string | undefined;
  readonly message: string;
}

/** `request` names the request: `POST /api/2.2/jobs/create`. */
export function errorOf(
  request: string,
  { status, body, retryAfter, secrets }: ErrorResponse,
): WorkspaceError {
  const { code, message } = readError(body);
  // Masking comes last: it must not change what an error means.
  const kind = kindOf(status, code, message);
  const shown = (text: string) =>
    cut(secrets.reduce((rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "********")), text));
  const text = [
    code !== undefined && !/^\d+$/.test(code) && shown(code),
    shown(message) || noText(status, body),
  ]
    .filter(Boolean)
    .join(": ");
  const retryAfterSeconds = secondsOf(retryAfter);
  return new WorkspaceError(kind, `The workspace answered ${status} to ${request}: ${text}`, {
    status,
    code,
    retryAfterSeconds,
  });
}

/** A token that is wrong or expired is 403 with a number as its code; 401 means that there was none. */
export const isTokenRefused = ({ status, code }: WorkspaceError): boolean =>
  (status === 403 && code === "403") || status === 401;

function kindOf(status: number, code: string | undefined, message: string): WorkspaceErrorKind {
  // A redirect leads to a login page, or to the page about a private link.
  if (status >= 300 && status < 400) return "denied";
  if (status === 401 || status === 403) return "denied";
  if (status === 404) return "gone";
  if (status === 409) return "conflict";
  if (status === 429 || code === "REQUEST_LIMIT_EXCEEDED" || code === "RESOURCE_EXHAUSTED") return "busy";
  if (status >= 500) return "open";
  // A missing job or run is 400 with this code.
  if (code === "INVALID_PARAMETER_VALUE" && /^(?:Job|Run) \d+ does not exist\b/.test(message)) return "gone";
  if (code !== undefined && /(?:^|_)(?:DOES_NOT_EXIST|NOT_FOUND)$/.test(code)) return "gone";
  if (code === "RESOURCE_ALREADY_EXISTS" || code === "ALREADY_EXISTS") return "conflict";
  return "refused";
}

/** All forms of errors: of the API, of SCIM, of OAuth, plain text. HTML comes from proxies and says nothing. */
function readError(body: string): ErrorText {
  const fields = objectIn(body);
  if (fields) {
    const text = (...keys: readonly string[]) =>
      keys.map((key) => fields[key]).find((value) => typeof value === "string" && value !== "");
    const code = fields.error_code ?? text("scimType", "error");
    return {
      code: typeof code === "string" || typeof code === "number" ? String(code).slice(0, 100) : undefined,
      message: String(text("message", "detail", "error_description") ?? ""),
    };
  }
  const plain = /^([A-Z][A-Z0-9_]{2,99}): (.*)/s.exec(body);
  if (plain) return { code: plain[1], message: plain[2] ?? "" };
  return { code: undefined, message: /^\s*</.test(body) ? "" : body };
}

function objectIn(body: string): Readonly<Record<string, unknown>> | undefined {
  if (!body.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(body) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

const noText = (status: number, body: string): string => {
  if (status >= 300 && status < 400)
    return "it redirects to another address, which Lakehelm does not follow. Check the host, and whether a private link is needed.";
  return body.trim() === "" ? "no text." : "a web page instead of JSON. Is there a proxy in between?";
};

/** One line without control characters, because it becomes part of a message. */
const cut = (text: string): string =>
  text
    .slice(0, longestText)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
    .replace(/[\u0000-\u001f\u007f]+/g, " ")
    .trim();

/** `Retry-After` in seconds; at most an hour. A date is not used by workspaces. */
function secondsOf(text: string | undefined): number | undefined {
  const seconds = Number(text || Number.NaN);
  return seconds >= 0 ? Math.min(seconds, 3_600) : undefined;
}
