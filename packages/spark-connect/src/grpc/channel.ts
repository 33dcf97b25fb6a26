import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import type { Socket } from "node:net";
import {
  create,
  type DescMessage,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { certificateProblem } from "./certificate.ts";
import { frame, messagesIn } from "./frames.ts";
import { errorInTrailers, RpcError, unavailable } from "./rpc-error.ts";

export interface ChannelOptions {
  /** `host:port`, as the server names itself. */
  readonly authority: string;
  readonly tls: boolean;
  /** The token that is sent with every call; null: none is sent. */
  readonly token: string | null;
  /** Opens a connection: plain or TLS with ALPN `h2`. */
  connect(): Promise<Socket>;
  /** A larger message fails the call. */
  readonly maxMessageBytes: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Calls to one gRPC server over one HTTP/2 connection, which is opened on demand. */
export class Channel {
  readonly #options: ChannelOptions;
  #session: Promise<ClientHttp2Session> | undefined;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  /** Makes a call with one response. Throws an RpcError. */
  async call<Input extends DescMessage, Output extends DescMessage>(
    method: DescMethodUnary<Input, Output>,
    request: MessageInitShape<Input>,
    options: CallOptions = {},
  ): Promise<MessageShape<Output>> {
    let answer: MessageShape<Output> | undefined;
    for await (const message of this.#send(method, request, options)) answer ??= message;
    if (!answer) throw unavailable("The server ended the call without an answer.");
    return answer;
  }

  /** Makes a call and yields its responses as they arrive. Leaving the loop cancels the call. Throws an RpcError. */
  stream<Input extends DescMessage, Output extends DescMessage>(
    method: DescMethodServerStreaming<Input, Output>,
    request: MessageInitShape<Input>,
    options: CallOptions = {},
  ): AsyncGenerator<MessageShape<Output>> {
    return this.#send(method, request, options);
  }

  async close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    this.#session = undefined;
    session?.destroy();
  }

  async *#send<Input extends DescMessage, Output extends DescMessage>(
    method: DescMethodUnary<Input, Output> | DescMethodServerStreaming<Input, Output>,
    request: MessageInitShape<Input>,
    { signal }: CallOptions,
  ): AsyncGenerator<MessageShape<Output>> {
    signal?.throwIfAborted();
    const { tls, authority, token, maxMessageBytes } = this.#options;
    const session = await this.#connected();
    let stream: ClientHttp2Stream;
    try {
      stream = session.request({
        ":method": "POST",
        ":scheme": tls ? "https" : "http",
        ":authority": authority,
        ":path": `/${method.parent.typeName}/${method.name}`,
        "content-type": "application/grpc",
        te: "trailers",
        ...(token !== null && { authorization: `Bearer ${token}` }),
      });
    } catch (error) {
      throw unavailable(`The connection to ${authority} is closed.`, error);
    }
    const stop = () => stream.close(constants.NGHTTP2_CANCEL);
    signal?.addEventListener("abort", stop, { once: true });
    let last: Parameters<typeof errorInTrailers>[0] | undefined;
    stream.on("response", (headers) => {
      // A call without a response has its status in these headers.
      if (headers["grpc-status"] !== undefined) last = headers;
      else if (headers[":status"] !== 200)
        last = { "grpc-status": "14", "grpc-message": notGrpc(authority, headers[":status"]) };
    });
    stream.on("trailers", (headers) => {
      last = headers;
    });
    stream.end(frame(toBinary(method.input, create(method.input, request))));
    try {
      for await (const message of messagesIn(stream, maxMessageBytes)) {
        yield fromBinary(method.output, message);
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof RpcError) throw error;
      if (stream.destroyed && (error as { code?: string }).code !== undefined) {
        throw unavailable(`The connection to ${authority} broke: ${(error as Error).message}.`, error);
      }
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
      stream.on("error", () => {});
      if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
    }
    signal?.throwIfAborted();
    const failure = last ? errorInTrailers(last) : unavailable(`The connection to ${authority} broke.`);
    if (failure) throw failure;
  }

  #connected(): Promise<ClientHttp2Session> {
    const session = this.#session ?? this.#open();
    this.#session = session;
    return session;
  }

  async #open(): Promise<ClientHttp2Session> {
    const { authority, tls } = this.#options;
    const forget = () => {
      this.#session = undefined;
    };
    try {
      const socket = await this.#options.connect();
      // A server that lost power sends nothing. gRPC servers refuse more than one gRPC ping in five minutes, so TCP
      // keep-alive is used.
      socket.setKeepAlive(true, silenceMs);
      const session = connect(`${tls ? "https" : "http"}://${authority}`, {
        createConnection: () => socket,
        settings: { initialWindowSize: windowBytes },
      });
      await new Promise((done, fail) =>
        session.once("connect", done).once("error", fail).once("close", fail),
      );
      session.setLocalWindowSize(windowBytes);
      // The calls receive the errors; here an error only drops the connection.
      session.on("error", forget).on("close", forget).on("goaway", forget);
      return session;
    } catch (error) {
      forget();
      const said = error instanceof Error ? error.message : "it was closed at once";
      const reason = certificateProblem(error) ?? said;
      throw unavailable(`${authority} cannot be reached: ${reason}.`, error);
    }
  }
}

const silenceMs = 30_000;

/** How many bytes the server may send before they are read. With the default of 64 kB, results are slow. */
const windowBytes = 4 * 1024 * 1024;

const notGrpc = (authority: string, status: unknown) =>
  encodeURIComponent(
    `${authority} is no Spark Connect server, or a proxy in front of it answers: HTTP status ${status}.`,
  );
