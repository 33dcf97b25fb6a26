import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Ending, Failure, Line, Row } from "./driver-messages.ts";

const program = fileURLToPath(new URL("../../../scripts/spark/driver.py", import.meta.url));

export interface DriverOptions {
  readonly folder: string;
  readonly catalogs: readonly string[];
  readonly durable: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly timeZone: string;
}

/** What came back, and what the request did to the world on the way to it. */
export interface Answer {
  readonly rows?: readonly Row[];
  /** Also of a run that took the process with it. */
  readonly ending?: Ending;
  readonly failure?: Failure;
  readonly effects: readonly string[];
}

/** The Python process that holds a warm Spark. It answers one request after the other. */
export class Driver {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterableIterator<string>;
  readonly #closed: Promise<unknown>;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #alive = true;
  #log = "";

  private constructor(child: ChildProcessWithoutNullStreams, lines: Interface) {
    this.#child = child;
    this.#lines = lines[Symbol.asyncIterator]();
    this.#closed = once(child, "close");
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      this.#log = (this.#log + chunk).slice(-20_000);
    });
    // A request to a process that has just died fails by its missing answer, not here.
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
    await driver.#answer(false);
    return driver;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** `mayDie`: the request asks for the end of the process, so that it is no failure. */
  async ask(request: object, mayDie: boolean): Promise<Answer> {
    const turn = this.#lastTurn.then(() => {
      this.#child.stdin.write(`${JSON.stringify(request)}\n`);
      return this.#answer(mayDie);
    });
    this.#lastTurn = turn.catch(() => {});
    return turn;
  }

  async #answer(mayDie: boolean): Promise<Answer> {
    const effects: string[] = [];
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) break;
      const line: Line = JSON.parse(value);
      if (line.done) return { ...line, effects };
      effects.push(line.effect);
    }
    await this.#closed;
    this.#alive = false;
    if (mayDie && this.#child.signalCode === "SIGKILL")
      return { ending: { output: "", died: true }, effects };
    const status = this.#child.signalCode ?? this.#child.exitCode;
    throw new Error(`Spark's process ended with ${status}. Its last words:\n${this.#log}`);
  }

  /** Resolves when Python and its JVM have both gone. */
  async stop(): Promise<void> {
    this.#child.stdin.end();
    await this.#closed;
  }
}
