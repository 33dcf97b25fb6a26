import { Worker } from "node:worker_threads";
import type { SourceLocation } from "@lakehelm/sql";
import { DataProblem } from "../../protocol/problem.ts";

export interface TranslationRequest {
  readonly id: number;
  readonly text: string;
}

/** The first message of a thread: the library is loaded. */
export const translatorReady = "ready";

export type TranslationResponse = { readonly id: number } & (
  | { readonly sql: string }
  | { readonly problem: string; readonly position: SourceLocation | undefined }
  | { readonly fault: string }
);

interface PendingTranslation extends TranslationRequest {
  resolve(sql: string): void;
  reject(error: unknown): void;
}

/** A text of 40,000 tokens needs about 100 MB. The code range is address space, which counts as memory of the process. */
const threadLimits = { maxOldGenerationSizeMb: 256, codeRangeSizeMb: 32 };

/** Longer than a user usually takes between two queries. */
const idleMs = 60_000;

/**
 * Translates SQL in a worker thread, which starts on demand and ends when it has been idle for a while. The library takes
 * 150 MB, half a second to load, and for some texts longer than any time limit.
 */
export class Translator {
  readonly #pending = new Map<number, PendingTranslation>();
  #thread: Worker | undefined;
  #isReady = false;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  async translate(text: string, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#pending.set(id, { id, text, resolve, reject });
    const cancel = () => {
      reject(signal.reason);
      this.#pending.delete(id);
      // A thread that is still loading has no text yet. If it were ended, a request with a short time limit could never
      // succeed.
      if (this.#isReady) this.#restart();
    };
    signal.addEventListener("abort", cancel, { once: true });
    clearTimeout(this.#idle);
    this.#thread ??= this.#start();
    if (this.#isReady) this.#send({ id, text });
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", cancel);
      if (this.#pending.size === 0) this.#idle = setTimeout(() => this.close(), idleMs).unref();
    }
  }

  close(): void {
    clearTimeout(this.#idle);
    void this.#thread?.terminate();
    this.#thread = undefined;
    this.#isReady = false;
  }

  #send({ id, text }: TranslationRequest): void {
    this.#thread?.postMessage({ id, text } satisfies TranslationRequest);
  }

  #start(): Worker {
    const thread = new Worker(new URL("./translation-thread.ts", import.meta.url), {
      name: "translation",
      resourceLimits: threadLimits,
    });
    thread.unref();
    thread.on("message", (response: TranslationResponse | typeof translatorReady) => {
      if (thread !== this.#thread) return;
      if (response !== translatorReady) {
        this.#complete(response);
        return;
      }
      this.#isReady = true;
      for (const pending of this.#pending.values()) this.#send(pending);
    });
    thread.on("error", (error: NodeJS.ErrnoException) => {
      if (thread !== this.#thread) return;
      this.close();
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") {
        // The thread works on the oldest text.
        const [first] = this.#pending.values();
        this.#pending.delete(first?.id ?? 0);
        first?.reject(new DataProblem("The statement is too large to be translated."));
        this.#restart();
        return;
      }
      for (const { reject } of this.#pending.values()) reject(error);
      this.#pending.clear();
    });
    return thread;
  }

  /** The thread may be busy with the aborted text, so the other texts go to a new thread. */
  #restart(): void {
    this.close();
    if (this.#pending.size === 0) return;
    this.#thread = this.#start();
  }

  #complete(response: TranslationResponse): void {
    const pending = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if ("sql" in response) pending?.resolve(response.sql);
    else if ("fault" in response) pending?.reject(new Error(response.fault));
    else {
      const { problem, position } = response;
      pending?.reject(new DataProblem(problem, position && { position }));
    }
  }
}
