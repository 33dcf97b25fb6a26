/** Sends anchors to another machine, where a writer of the database and of the data folder cannot change them. */
export interface RemoteAnchor {
  /** Sends the newest text, at most once a minute; a failed attempt is repeated. */
  publish(text: string): void;
  /** The stored text. Undefined if there is none yet, or the receiver does not return it. */
  latest(): Promise<string | undefined>;
  failures(): number;
  /** Sends what is not sent yet. */
  close(): Promise<void>;
}

export interface RemoteAnchorOptions {
  readonly url: string;
  /** POST: a webhook that collects anchors. PUT: a file in an object store, which GET returns. */
  readonly method: "POST" | "PUT";
  readonly token: string | undefined;
  readonly onError: (error: unknown) => void;
  readonly intervalMs?: number;
  readonly retryMs?: number;
  readonly timeoutMs?: number;
}

/** A longer text is not an anchor. */
const longest = 64 * 1024;

export function createRemoteAnchor({
  url,
  method,
  token,
  onError,
  intervalMs = 60_000,
  retryMs = 30_000,
  timeoutMs = 10_000,
}: RemoteAnchorOptions): RemoteAnchor {
  let unsent: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let nextAt = 0;
  let failures = 0;
  let failing = false;
  let closed = false;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const request = (init: RequestInit) =>
    fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(timeoutMs) });

  async function send(): Promise<void> {
    const text = unsent;
    if (text === undefined) return;
    let waitMs = intervalMs;
    try {
      const headers = { ...authorization, "content-type": "application/json" };
      const response = await request({ method, headers, body: text });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`The receiver of anchors responded with ${response.status}.`);
      if (unsent === text) unsent = undefined;
      failing = false;
    } catch (error) {
      failures += 1;
      waitMs = retryMs;
      // Log a repeated failure once.
      if (!failing) onError(error);
      failing = true;
    }
    nextAt = performance.now() + waitMs;
  }

  function sendLater(): void {
    if (closed || timer || sending || unsent === undefined) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        sending = send().finally(() => {
          sending = undefined;
          sendLater();
        });
      },
      Math.max(0, nextAt - performance.now()),
    );
    timer.unref();
  }

  return {
    publish(text) {
      unsent = text;
      sendLater();
    },
    async latest() {
      if (method === "POST") return undefined;
      const response = await request({ method: "GET", headers: authorization });
      if (response.status === 404) {
        await response.body?.cancel();
        return undefined;
      }
      if (!response.ok) throw new Error(`The receiver of anchors responded with ${response.status}.`);
      const text = await response.text();
      if (text.length > longest) throw new Error("The receiver of anchors returned something else.");
      return text;
    },
    failures: () => failures,
    async close() {
      if (closed) return;
      closed = true;
      clearTimeout(timer);
      await sending;
      await send();
    },
  };
}
