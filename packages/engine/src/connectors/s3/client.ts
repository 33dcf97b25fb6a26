import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { retryAfterMs } from "@lakehelm/contract/text";
import { AwsV4Signer } from "aws4fetch";
import { EgressRefused, type EgressRules } from "../../egress/egress.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { type HttpResponse, sendHttp } from "../http-client.ts";
import { keyProblem } from "./location.ts";
import { isBusy, S3Failure, s3Problem } from "./problem.ts";
import type { S3Settings } from "./settings.ts";
import { elementText } from "./xml.ts";

interface S3Request {
  readonly method?: "GET" | "PUT" | "POST" | "DELETE" | "HEAD";
  /** Empty for the bucket. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export interface S3Client {
  readonly settings: S3Settings;
  readonly signal: AbortSignal;
  /** `s3://bucket/key`, for messages. */
  shown(key: string): string;
  /** Sends a request until it succeeds, and reads its answer. Throws a DataProblem. */
  send<Answer>(request: S3Request, read: (response: HttpResponse) => Promise<Answer>): Promise<Answer>;
  /** Like `send`, for a small answer in XML. */
  text(request: S3Request): Promise<string>;
}

const attempts = 6;
const firstPauseMs = 250;
const longestPauseMs = 20_000;
/** A request fails if the server sends nothing for this long. Every chunk of an answer restarts this time. */
const silenceMs = 60_000;
const longestText = 32 * 2 ** 20;
const longestError = 64 * 1024;
const emptyHash = createHash("sha256").digest("hex");

/** A client for one bucket. Redirects are not followed: they would carry the credentials to another address. */
export function createS3Client(settings: S3Settings, egress: EgressRules, signal: AbortSignal): S3Client {
  const shown = (key: string) => `s3://${settings.bucket}/${key}`;
  /** Keys that aws4fetch derives once for a day and a region. */
  const derived = new Map<string, ArrayBuffer>();

  async function attempt<Answer>(
    request: S3Request,
    read: (response: HttpResponse) => Promise<Answer>,
  ): Promise<Answer> {
    const silence = new AbortController();
    const late = () => silence.abort(new DOMException("The server does not respond.", "TimeoutError"));
    let timer = setTimeout(late, silenceMs);
    try {
      const { method = "GET", body } = request;
      const url = addressOf(settings, request);
      const headers = { "Accept-Encoding": "identity", ...request.headers };
      const response = await sendHttp(egress, {
        url,
        method,
        headers: await signed(settings, derived, { ...request, method, headers }, url),
        body,
        isRaw: true,
        signal: AbortSignal.any([signal, silence.signal]),
      });
      const watched: HttpResponse = {
        ...response,
        body: chunksOf(response, () => {
          clearTimeout(timer);
          timer = setTimeout(late, silenceMs);
        }),
      };
      if (response.status < 200 || response.status >= 300) throw await failureOf(watched);
      return await read(watched);
    } finally {
      clearTimeout(timer);
    }
  }

  async function send<Answer>(
    request: S3Request,
    read: (response: HttpResponse) => Promise<Answer>,
  ): Promise<Answer> {
    const what = request.key === "" ? `s3://${settings.bucket}` : shown(request.key);
    const problem = keyProblem(request.key);
    if (problem) throw new DataProblem(`${what} cannot be used: ${problem}.`);
    for (let n = 1; ; n++) {
      try {
        return await attempt(request, read);
      } catch (error) {
        signal.throwIfAborted();
        const mayPass =
          error instanceof S3Failure
            ? isBusy(error)
            : !(error instanceof DataProblem || error instanceof EgressRefused);
        if (!mayPass || n === attempts)
          throw error instanceof S3Failure && error.status === 404 && error.code !== "NoSuchBucket"
            ? error
            : s3Problem(what, settings, error);
        const wait = error instanceof S3Failure ? error.retryAfterMs : undefined;
        await pause(
          Math.min(wait ?? firstPauseMs * 2 ** n * (0.5 + Math.random() / 2), longestPauseMs),
          undefined,
          {
            signal,
          },
        );
      }
    }
  }

  return {
    settings,
    signal,
    shown,
    send,
    text: (request) => send(request, (response) => textOf(response, longestText)),
  };
}

function addressOf({ url }: S3Settings, { key, query = {} }: S3Request): string {
  const path = key.split("/").map(encodeURIComponent).join("/");
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${url}/${path}${parameters.length > 0 ? `?${parameters.join("&")}` : ""}`;
}

/** The body is part of the signature, so a changed one is refused also without TLS. */
async function signed(
  { credentials, region }: S3Settings,
  cache: Map<string, ArrayBuffer>,
  { method = "GET", headers = {}, body }: S3Request,
  url: string,
): Promise<Record<string, string>> {
  if (!credentials) return { ...headers };
  const hash = body === undefined ? emptyHash : createHash("sha256").update(body).digest("hex");
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const signer = new AwsV4Signer({
    method,
    url,
    headers: { ...headers, "X-Amz-Content-Sha256": hash },
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    service: "s3",
    region,
    cache,
  });
  return Object.fromEntries((await signer.sign()).headers);
}

async function* chunksOf({ body }: HttpResponse, onChunk: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    onChunk();
    yield chunk;
  }
}

export async function textOf({ body }: HttpResponse, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > most) throw new DataProblem(`The server responds with more than ${most} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function failureOf(response: HttpResponse): Promise<S3Failure> {
  const { status, headers } = response;
  const text = await textOf(response, longestError).catch(() => "");
  return new S3Failure(
    {
      status,
      code: elementText(text, "Code") ?? "",
      message: (elementText(text, "Message") ?? "").slice(0, 500).replace(/\.$/, ""),
    },
    {
      retryAfterMs: retryAfterMs(headers.get("Retry-After"), Date.now()),
      region: headers.get("x-amz-bucket-region") ?? elementText(text, "Region"),
    },
  );
}
