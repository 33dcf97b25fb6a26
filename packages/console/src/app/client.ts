import { type Client, createUntypedClient } from "@lakehelm/contract/client";
import { operations } from "@lakehelm/contract/operations";
import { signal } from "@preact/signals";

/** The bearer token of the session. It is stored only here, so a reload forgets it. */
let token: string | undefined;

export function setToken(value: string | undefined): void {
  token = value;
}

/** `offline` while the event stream has no connection: the page may then show old data. */
export const streamState = signal<"connecting" | "live" | "offline">("connecting");

const isEventStream = (init?: RequestInit) =>
  new Headers(init?.headers).get("accept") === "text/event-stream" && init?.method === "GET";

/** The follower of events reconnects by itself; its requests show whether it is connected. */
const watchedFetch: typeof fetch = async (input, init) => {
  if (!isEventStream(init)) return fetch(input, init);
  if (streamState.value === "live") streamState.value = "offline";
  const response = await fetch(input, init);
  if (response.ok) streamState.value = "live";
  return response;
};

/** Every request of the console goes through this client. */
export const api = createUntypedClient(operations, {
  baseUrl: "",
  token: () => token ?? "",
  fetch: watchedFetch,
}) as Client;

const bearer = () => ({ authorization: `Bearer ${token ?? ""}` });

/** Fetches a response that the client does not read as a whole: a log that is followed, or a file to save. */
export function fetchStream(
  path: string,
  accept: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(path, { headers: { ...headers, ...bearer(), accept }, signal });
}

/** Sends JSON; the response may be a stream. */
export function postStream(
  path: string,
  body: unknown,
  environment: string,
  signal: AbortSignal,
  accept = "application/json",
): Promise<Response> {
  const headers = {
    ...bearer(),
    accept,
    "content-type": "application/json",
    "x-environment-id": environment,
  };
  return fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}
