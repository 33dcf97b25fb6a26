/** Raw requests for tests, without added headers or normalized paths. */
import { once } from "node:events";
import { type IncomingHttpHeaders, type RequestOptions, request } from "node:http";
import { connect, type Socket } from "node:net";
import { text as textIn } from "node:stream/consumers";

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One request, on a connection of its own unless you give one. */
export function send(
  url: string,
  { method = "GET", path, headers, body }: Sent,
  connection: Pick<RequestOptions, "agent" | "localAddress" | "signal"> = { agent: false },
): Promise<Got> {
  const { hostname, port } = new URL(url);
  // Node does not frame the body of a GET, which would then be parsed as the next request.
  const framed = body === undefined ? headers : { ...headers, "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sending = request(
      { hostname, port, method, path, headers: framed, ...connection },
      async (response) => {
        try {
          resolve({
            status: response.statusCode as number,
            headers: response.headers,
            text: await textIn(response),
          });
        } catch (error) {
          reject(error);
        }
      },
    );
    sending.on("error", reject);
    sending.end(body);
  });
}

export const detailOf = ({ text }: Pick<Got, "text">): unknown =>
  (JSON.parse(text) as { detail: unknown }).detail;

/** A raw connection: writes bytes, and keeps all that were received. */
export interface Wire {
  readonly socket: Socket;
  readonly received: string;
  write(bytes: string | Buffer): void;
  /** Resolves as soon as the received bytes match. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** All received bytes, once the server has closed its side. */
  ended(): Promise<string>;
}

export async function openWire(url: string): Promise<Wire> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  let received = "";
  let over = false;
  let failure: Error | undefined;
  let changed = Promise.withResolvers<void>();
  const change = (note: () => void) => {
    note();
    changed.resolve();
    changed = Promise.withResolvers();
  };
  socket.on("data", (chunk) => change(() => (received += chunk.toString("latin1"))));
  socket.on("error", (error) => change(() => (failure = error)));
  socket.on("end", () => change(() => (over = true)));
  socket.on("close", () => change(() => (over = true)));
  return {
    socket,
    get received() {
      return received;
    },
    write: (bytes) => void socket.write(bytes),
    async until(pattern) {
      for (;;) {
        const found = pattern.exec(received);
        if (found) return found;
        if (failure) throw failure;
        if (over) throw new Error(`The server closed the connection after: ${received}`);
        await changed.promise;
      }
    },
    async ended() {
      while (!over) await changed.promise;
      if (failure) throw failure;
      socket.destroy();
      return received;
    },
  };
}

/** Waits until a condition holds that another part of the process brings about. */
export async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 5000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`It did not come true within 5 seconds: ${what}`);
    await new Promise((next) => setTimeout(next, 5));
  }
}
