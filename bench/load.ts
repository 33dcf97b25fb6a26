import { connect } from "node:net";

export interface Load {
  readonly port: number;
  /** The bytes of the next request; undefined if there is none left. */
  readonly next: () => Buffer | undefined;
  readonly connections: number;
  /** The duration in seconds; absent: until no request is left. */
  readonly seconds?: number;
  /** The status that every response must have. */
  readonly status: number;
  /** Receives the body of each response. */
  readonly onResponse?: (body: string) => void;
  /** The processor time of the server so far, in seconds. */
  readonly cpuSeconds?: () => number;
}

export interface Speed {
  readonly perSecond: number;
  /** Processor time of the server for each request, in microseconds. */
  readonly cpuMicros: number;
}

export interface Measured extends Speed {
  readonly p50: number;
  readonly p99: number;
}

/**
 * Sends requests over keep-alive connections, each one as soon as the previous one is answered. It reads only the
 * length of a response, so that one core of load can saturate one core of the server.
 */
export async function load({
  port,
  next,
  connections,
  seconds = Number.POSITIVE_INFINITY,
  status,
  onResponse,
  cpuSeconds = () => 0,
}: Load): Promise<Measured> {
  const times: number[] = [];
  const expected = `HTTP/1.1 ${status} `;
  const end = performance.now() + seconds * 1000;
  const started = performance.now();
  const cpuBefore = cpuSeconds();

  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      socket.setNoDelay(true);
      let missing = 0;
      const chunks: Buffer[] = [];
      let sentAt = 0;
      const send = () => {
        const bytes = performance.now() < end ? next() : undefined;
        if (!bytes) {
          socket.destroy();
          return resolve();
        }
        sentAt = performance.now();
        socket.write(bytes);
      };
      socket.on("connect", send);
      socket.on("error", reject);
      socket.on("close", () => reject(new Error("The server closed a connection.")));
      socket.on("data", (chunk: Buffer) => {
        if (missing === 0) {
          const head = chunk.indexOf("\r\n\r\n");
          const text = chunk.toString("latin1", 0, head);
          const length = /content-length: (\d+)/i.exec(text)?.[1];
          if (!text.startsWith(expected) || length === undefined) {
            return reject(new Error(`Unexpected response: ${chunk.toString().slice(0, 300)}`));
          }
          missing = head + 4 + Number(length);
        }
        missing -= chunk.length;
        if (onResponse) chunks.push(chunk);
        if (missing > 0) return;
        if (onResponse) onResponse(bodyOf(chunks.splice(0)));
        times.push(performance.now() - sentAt);
        send();
      });
    });

  await Promise.all(Array.from({ length: connections }, one));
  const elapsed = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] as number;
  const cpuMicros = ((cpuSeconds() - cpuBefore) * 1e6) / times.length;
  return { perSecond: times.length / elapsed, cpuMicros, p50: at(0.5), p99: at(0.99) };
}

function bodyOf(chunks: readonly Buffer[]): string {
  const answer = Buffer.concat(chunks);
  return answer.toString("utf8", answer.indexOf("\r\n\r\n") + 4);
}

/** A request as constant bytes. */
export function request(method: string, path: string, token?: string, body?: string): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, "host: bench"];
  if (token) lines.push(`authorization: Bearer ${token}`);
  if (body !== undefined)
    lines.push("content-type: application/json", `content-length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`);
}
