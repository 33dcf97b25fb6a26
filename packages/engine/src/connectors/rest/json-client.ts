import { setTimeout as pause } from "node:timers/promises";
import { retryAfterMs } from "@lakehelm/contract/text";
import { certificateProblem } from "@lakehelm/spark-connect";
import { EgressRefused } from "../../egress/egress.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { type HttpResponse, sendHttp } from "../http-client.ts";
import { parseExact } from "../source/json/exact-json.ts";
import { type AccessToken, createAccessToken, type TokenRequest } from "./access-token.ts";
import { type RestRequest, type RestSettings, shownAddress } from "./settings.ts";

export interface JsonResponse {
  readonly json: unknown;
  readonly headers: Headers;
  readonly bytes: number;
}

/** A response is held in memory as a whole. */
const maxBytes = 64 * 2 ** 20;
const maxRedirects = 5;
const maxPauseMs = 300_000;

/** State that the requests of one connection share. */
interface ClientState {
  readonly token: AccessToken | undefined;
  /** When the next request may be sent, by the monotonic clock. */
  nextAt: number;
}

const states = new WeakMap<RestSettings, ClientState>();

function stateOf(settings: RestSettings): ClientState {
  const known = states.get(settings);
  if (known) return known;
  const { auth } = settings;
  const request = async ({ url, headers, body }: TokenRequest) => {
    const signal = AbortSignal.timeout(settings.timeoutMs);
    try {
      const response = await sendHttp(settings.egress, { url, method: "POST", headers, body, signal });
      if (response.status >= 200 && response.status < 300) return (await readBody(url, response)).json;
      // A redirect is an error, too: it would send the client's secret elsewhere.
      response.discard();
      throw new HttpStatusError(response);
    } catch (error) {
      throw problemOf(url, error);
    }
  };
  const token = auth && createAccessToken(auth, request, Date.now);
  const state: ClientState = { token, nextAt: 0 };
  states.set(settings, state);
  return state;
}

/** Fetches JSON. Retries with increasing delays if the server is busy or fails. */
export async function fetchJson(
  request: Pick<RestRequest, "address" | "body">,
  settings: RestSettings,
  signal: AbortSignal,
): Promise<JsonResponse> {
  const state = stateOf(settings);
  let isRenewed = false;
  for (let attempt = 0; ; attempt++) {
    let token: string | undefined;
    try {
      await untilAllowed(state, settings, signal);
      token = await state.token?.get();
      return await fetchFollowingRedirects(request, authorized(settings, token), signal);
    } catch (error) {
      signal.throwIfAborted();
      // A token can be revoked before it expires.
      if (token !== undefined && !isRenewed && error instanceof HttpStatusError && error.status === 401) {
        state.token?.drop(token);
        isRenewed = true;
        continue;
      }
      const problem = problemOf(request.address, error);
      if (!problem.retryable || attempt >= settings.retries) throw problem;
      const wait = error instanceof HttpStatusError ? error.retryAfterMs : undefined;
      await pause(Math.min(wait ?? 250 * 2 ** attempt, maxPauseMs), undefined, { signal });
    }
  }
}

const authorized = (settings: RestSettings, token: string | undefined): RestSettings =>
  token === undefined
    ? settings
    : { ...settings, headers: { ...settings.headers, Authorization: `Bearer ${token}` } };

/** Waits until `requests_per_second` allows the next request. */
async function untilAllowed(
  state: ClientState,
  { pauseMs }: RestSettings,
  signal: AbortSignal,
): Promise<void> {
  const now = performance.now();
  const at = Math.max(now, state.nextAt);
  state.nextAt = at + pauseMs;
  if (at > now) await pause(at - now, undefined, { signal });
}

/** Checks that the server responds, with any status. */
export async function requireReachable(settings: RestSettings, signal: AbortSignal): Promise<void> {
  const { egress, url, timeoutMs } = settings;
  try {
    const { headers } = authorized(settings, await stateOf(settings).token?.get());
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const response = await sendHttp(egress, { url, headers, signal: timeout });
    response.discard();
  } catch (error) {
    signal.throwIfAborted();
    throw problemOf(url, error);
  }
}

/** The server responded with an error. */
class HttpStatusError extends Error {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  constructor({ status, statusText, headers }: HttpResponse) {
    super(`${status} ${statusText}`.trim());
    this.status = status;
    this.retryAfterMs = retryAfterMs(headers.get("Retry-After"), Date.now());
  }
}

async function fetchFollowingRedirects(
  { address, body }: Pick<RestRequest, "address" | "body">,
  settings: RestSettings,
  signal: AbortSignal,
): Promise<JsonResponse> {
  const sent = body && {
    method: "POST",
    headers: { "Content-Type": "application/json", ...settings.headers },
    body: JSON.stringify(body),
  };
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(settings.timeoutMs)]);
  let at = address;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await sendHttp(settings.egress, {
      url: at,
      headers: settings.headers,
      signal: timeout,
      ...sent,
    });
    // Other redirects of a POST ask for a GET, which would be another request.
    const isFollowed = sent ? [307, 308].includes(response.status) : response.status >= 300;
    const to = isFollowed && response.status < 400 ? response.headers.get("Location") : null;
    if (to === null) {
      if (response.status < 200 || response.status >= 300) {
        response.discard();
        throw new HttpStatusError(response);
      }
      return { ...(await readBody(at, response)), headers: response.headers };
    }
    response.discard();
    at = sameServer(to, at);
  }
  throw new DataProblem(`${shownAddress(address)} redirects more than ${maxRedirects} times.`);
}

/** Another server must not get the headers, which may contain secrets. */
export function sameServer(link: string, from: string): string {
  const to = URL.parse(link, from);
  if (to?.origin === new URL(from).origin) return to.href;
  throw new DataProblem(
    `${shownAddress(from)} links to another server (${to?.origin ?? "no address"}), which is not allowed because it would receive the headers.`,
  );
}

async function readBody(address: string, response: HttpResponse): Promise<{ json: unknown; bytes: number }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new DataProblem(
        `${shownAddress(address)} responds with more than 64 MB. Set page_size to make responses smaller.`,
      );
    }
    chunks.push(chunk);
  }
  try {
    return { json: parseExact(Buffer.concat(chunks).toString()), bytes };
  } catch (error) {
    throw new DataProblem(`${shownAddress(address)} does not respond with JSON.`, { cause: error });
  }
}

const statusReasons: Readonly<Record<number, string>> = {
  401: "authentication is missing or wrong",
  403: "access is denied",
  404: "there is nothing at this address",
  429: "too many requests",
};

/** Whether the server responded with 404. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof DataProblem && error.cause instanceof HttpStatusError && error.cause.status === 404;

function problemOf(address: string, error: unknown): DataProblem {
  if (error instanceof DataProblem) return error;
  const at = shownAddress(address);
  if (error instanceof HttpStatusError) {
    const reason = statusReasons[error.status];
    return new DataProblem(`${at} responds with ${error.message}${reason ? `: ${reason}` : ""}.`, {
      retryable: [429, 500, 502, 503, 504].includes(error.status),
      cause: error,
    });
  }
  if (error instanceof Error && error.name === "TimeoutError") {
    return new DataProblem(`${at} does not respond in time.`, { retryable: true, cause: error });
  }
  if (error instanceof EgressRefused) return new DataProblem(`${at} cannot be reached. ${error.message}`);
  const reason =
    certificateProblem(error) ??
    (error instanceof Error
      ? error.message || String("code" in error ? error.code : error.name)
      : String(error));
  return new DataProblem(`${at} cannot be reached: ${reason}.`, { retryable: true, cause: error });
}
