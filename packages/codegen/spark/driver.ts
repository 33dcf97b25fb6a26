import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { DriverMessage, Failure, NotebookEnding, SparkRow, TypedRows } from "./driver-messages.ts";

const program = fileURLToPath(new URL("../../../scripts/spark/driver.py", import.meta.url));

export interface DriverOptions {
  readonly folder: string;
  readonly catalogs: readonly string[];
  readonly durable: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly timeZone: string;
}

/** The response to a request, and its effects. */
export interface DriverResponse {
  readonly rows?: readonly SparkRow[];
  readonly answer?: TypedRows;
  /** Present also if the run ended the process. */
  readonly ending?: NotebookEnding;
  readonly failure?: Failure;
  readonly effects: readonly string[];
}

/** The Python process with a running Spark session. It handles one request at a time. */
export class Driver {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterableIterator<string>;
  readonly #closed: Promise<unknown>;
  #lastResponse: Promise<unknown> = Promise.resolve();
  #alive = true;
  #log = "";

  private constructor(child: ChildProcessWithoutNullStreams, lines: Interface) {
    this.#child = child;
    this.#lines = lines[Symbol.asyncIterator]();
    this.#closed = once(child, "close");
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      this.#log = (this.#log + chunk).slice(-20_000);
    });
    // A write to a process that has just ended is ignored: the request fails because it gets no response.
    child.stdin.on("error", () => {});
  }

  static async start({ timeZone, ...options }: DriverOptions): Promise<Driver> {
    const { TEST_SPARK_PYTHON, TEST_SPARK_JARS, TEST_SPARK_ARCHIVE } = process.env;
    if (!TEST_SPARK_PYTHON)
      throw new Error("TEST_SPARK_PYTHON is not set: run the suites with npm run test:spark");
    const javaOptions = [`-XX:SharedArchiveFile=${TEST_SPARK_ARCHIVE}`];
    const child = spawn(
      TEST_SPARK_PYTHON,
      [program, JSON.stringify({ ...options, jars: TEST_SPARK_JARS, javaOptions })],
      { cwd: options.folder, env: { ...process.env, TZ: timeZone, PYTHONDONTWRITEBYTECODE: "1" } },
    );
    const driver = new Driver(child, createInterface({ input: child.stdout }));
    await driver.#receive(false);
    return driver;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** `mayCrash`: the request may end the process on purpose, which then is not an error. */
  async send(request: object, mayCrash: boolean): Promise<DriverResponse> {
    const response = this.#lastResponse.then(() => {
      this.#child.stdin.write(`${JSON.stringify(request)}\n`);
      return this.#receive(mayCrash);
    });
    this.#lastResponse = response.catch(() => {});
    return response;
  }

  async #receive(mayCrash: boolean): Promise<DriverResponse> {
    const effects: string[] = [];
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) break;
      const line: DriverMessage = JSON.parse(value);
      if (line.done) return { ...line, effects };
      effects.push(line.effect);
    }
    await this.#closed;
    this.#alive = false;
    if (mayCrash && this.#child.signalCode === "SIGKILL")
      return { ending: { output: "", crashed: true }, effects };
    const status = this.#child.signalCode ?? this.#child.exitCode;
    throw new Error(`Spark's process ended with ${status}. Its last output:\n${this.#log}`);
  }

  /** Resolves when Python and its JVM have both ended. */
  async stop(): Promise<void> {
    this.#child.stdin.end();
    await this.#closed;
  }
}
