import { setTimeout as timer } from "node:timers/promises";
import { counted, retryAfterMs } from "@lakehelm/contract/text";
import { certificateProblem } from "@lakehelm/spark-connect";
import { EgressRefused, type EgressRules } from "../../egress/egress.ts";
import { DataProblem } from "../../protocol/problem.ts";
import type { Refusal } from "../../protocol/transfer.ts";
import { type HttpResponse, sendHttp } from "../http-client.ts";

export interface HttpEndpoint {
  readonly egress: EgressRules;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly method: string;
  readonly batchSize: number;
}

/** Waits between two attempts. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;
export const realPause: Pause = (milliseconds, signal) => timer(milliseconds, undefined, { signal });

/** The endpoint refuses these rows. Its answer may quote them. */
export class RowsRefusedError extends Error implements Refusal {
  readonly reason: string;
  override readonly cause: string;
  constructor({ status, sentence, answer }: Answer) {
    super(sentence);
    this.reason = `${sentence}${answer && `: ${answer}`}`;
    this.cause = `the endpoint refuses it with status ${status}`;
  }
}

/** Status 0 means that there was no response. */
interface Answer {
  readonly status: number;
  readonly sentence: string;
  /** The beginning of its body. */
  readonly answer: string;
  readonly wait: number;
}

const notShown = ". The answer is not shown, because it may quote rows: see the log of the endpoint";
const attempts = 6;
const timeoutMs = 60_000;
const maxPauseMs = 300_000;
/** Characters of a response that are shown in messages. */
const shownCharacters = 1000;
/** The endpoint refuses these rows, or a batch of this size. */
const refusalStatuses = [400, 409, 413, 422];
const isRetryable = (status: number) => [408, 425, 429].includes(status) || status >= 500;

/** Sends requests to an endpoint, and retries them where that may help. */
export class HttpSender {
  readonly #endpoint: HttpEndpoint;
  readonly #pause: Pause;
  /** The URL without its query, which often contains a token. */
  readonly #address: string;

  constructor(endpoint: HttpEndpoint, pause: Pause) {
    const { origin, pathname } = new URL(endpoint.url);
    this.#endpoint = endpoint;
    this.#pause = pause;
    this.#address = origin + pathname;
  }

  /** Throws a RowsRefusedError if the rows are the cause, and a DataProblem otherwise. */
  async send(body: string, key: string, signal: AbortSignal): Promise<void> {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
    for (let attempt = 1; ; attempt++) {
      const response = await this.#request(this.#endpoint.method, headers, body, signal);
      if (response.status >= 200 && response.status < 300) return;
      if (refusalStatuses.includes(response.status)) throw new RowsRefusedError(response);
      const hidden = response.answer && notShown;
      if (response.status !== 0 && !isRetryable(response.status))
        throw this.#problem(`${response.sentence}${hidden}`, false);
      if (attempt === attempts)
        throw this.#problem(`${response.sentence} (${counted(attempts, "attempt")})${hidden}`, true);
      const wait = Math.max(2 ** attempt * 1000, response.wait);
      await this.#pause(Math.min(wait, maxPauseMs), signal);
    }
  }

  /** Checks that the endpoint responds, without sending rows. */
  async probe(signal: AbortSignal): Promise<string> {
    const { status, sentence, answer } = await this.#request("OPTIONS", {}, undefined, signal);
    if (status === 0 || status === 401 || status === 403 || status >= 500) {
      throw this.#problem(`${sentence}${answer && `: ${answer}`}`, status === 0 || status >= 500);
    }
    return `${this.#address} responds to OPTIONS with ${status}; rows will be sent with ${this.#endpoint.method}`;
  }

  #problem(sentence: string, retryable: boolean): DataProblem {
    return new DataProblem(`${this.#address}: ${sentence}.`, { retryable });
  }

  /** Redirects are not followed, because they would send our headers to another server. */
  async #request(
    method: string,
    headers: Readonly<Record<string, string>>,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<Answer> {
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const response = await sendHttp(this.#endpoint.egress, {
        url: this.#endpoint.url,
        method,
        headers: { ...this.#endpoint.headers, ...headers },
        body,
        signal: timeout,
      });
      return {
        status: response.status,
        sentence: `${response.status} ${response.statusText}`.trim(),
        answer: await beginningOf(response),
        wait: retryAfterMs(response.headers.get("Retry-After"), Date.now()) ?? 0,
      };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DataProblem) throw error;
      if (error instanceof EgressRefused) throw this.#problem(error.message.replace(/\.$/, ""), false);
      return { status: 0, sentence: `no response: ${reasonOf(error)}`, answer: "", wait: 0 };
    }
  }
}

async function beginningOf(response: HttpResponse): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= shownCharacters) break;
  }
  return text.slice(0, shownCharacters).trim();
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `timed out after ${timeoutMs / 1000} seconds`;
  const certificate = certificateProblem(error);
  if (certificate !== undefined) return certificate;
  if (error instanceof Error && "code" in error && error.message === "") return String(error.code);
  return error instanceof Error ? error.message : String(error);
}
