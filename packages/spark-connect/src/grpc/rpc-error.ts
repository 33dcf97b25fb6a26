import { fromBinary } from "@bufbuild/protobuf";
import { ErrorInfoSchema, RpcStatusSchema } from "../protocol/spark_connect_pb.ts";

/** The gRPC status codes that this client distinguishes. */
export const grpcCodes = { cancelled: 1, deadlineExceeded: 4, unavailable: 14, unauthenticated: 16 } as const;

/** A call that failed: the server returned an error, or the server could not be reached (`unavailable`). */
export class RpcError extends Error {
  readonly code: number;
  /** Details from the server: `errorId`, `errorClass`, `sqlState`, `messageParameters`. */
  readonly info: Readonly<Record<string, string>>;

  constructor(
    code: number,
    message: string,
    info: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "RpcError";
    this.code = code;
    this.info = info;
  }
}

export const unavailable = (message: string, cause?: unknown): RpcError =>
  new RpcError(grpcCodes.unavailable, message, {}, { cause });

type Headers = Readonly<Record<string, string | string[] | number | boolean | undefined>>;

/** The error in the trailers of a call; undefined: the call succeeded. */
export function errorInTrailers(headers: Headers): RpcError | undefined {
  const code = Number(headers["grpc-status"]);
  if (code === 0) return undefined;
  const message = percentDecoded(String(headers["grpc-message"] ?? "The server gave no reason."));
  return new RpcError(Number.isInteger(code) ? code : 2, message, infoIn(headers["grpc-status-details-bin"]));
}

function infoIn(encoded: Headers[string]): Record<string, string> {
  if (typeof encoded !== "string") return {};
  try {
    const { details } = fromBinary(RpcStatusSchema, Buffer.from(encoded, "base64"));
    const info = details.find(({ typeUrl }) => typeUrl.endsWith("/google.rpc.ErrorInfo"));
    return info ? { ...fromBinary(ErrorInfoSchema, info.value).metadata } : {};
  } catch {
    return {};
  }
}

/** gRPC percent-encodes everything except printable ASCII. An invalid escape is kept unchanged. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
