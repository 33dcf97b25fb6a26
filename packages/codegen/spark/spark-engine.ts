import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Driver, type DriverResponse } from "./driver.ts";
import type { Failure, NotebookEnding, SparkRow, TypedRows } from "./driver-messages.ts";

export interface SparkOptions {
  /** Catalogs in addition to `spark_catalog`; all of them show the same schemas and tables. */
  readonly catalogs?: readonly string[];
  /** Keeps the catalog on disk, so that tables survive a killed process. Each start takes a little longer. */
  readonly durable?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  /** The time zone of the machine that Spark runs on. */
  readonly timeZone?: string;
}

/** A point at which a run crashes: before or after its n-th effect, counted from 1. */
export interface NotebookCrashPoint {
  readonly effect: number;
  readonly when: "before" | "after";
  /** SIGKILL ends the whole process, and the next request starts a new one; this requires a durable engine. */
  readonly signal?: boolean;
}

export interface RunOptions {
  readonly parameters?: Readonly<Record<string, string>>;
  /** Secrets by `scope/key`: environment variables on Spark, `dbutils.secrets` on Databricks. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** The platform that the notebook runs on. `spark` (the default) has no `dbutils`, `spark` and `display`. */
  readonly on?: "spark" | "databricks";
  readonly crashAt?: NotebookCrashPoint;
}

export interface NotebookRun extends NotebookEnding {
  /** The effects that the run began, in order: writing statements, writes, commits, requests. */
  readonly effects: readonly string[];
}

/** Thrown if Spark refuses a statement, or if a notebook that must complete does not. */
class SparkFailure extends Error {
  readonly condition: string | undefined;

  constructor({ condition, trace }: Failure, more = "") {
    super(`${trace}${more}`);
    this.condition = condition;
  }
}

/** A real Spark with Delta, with its own warehouse. */
export class SparkEngine {
  /** The folder with all files of the engine, which `stop()` removes. Suites may put files for their notebooks here. */
  readonly folder: string;
  readonly #durable: boolean;
  readonly #start: () => Promise<Driver>;
  #driver: Driver | undefined;

  constructor(folder: string, options: SparkOptions) {
    const { catalogs = [], durable = false, settings = {}, timeZone = "UTC" } = options;
    this.folder = folder;
    this.#durable = durable;
    this.#start = () => Driver.start({ folder, catalogs, durable, settings, timeZone });
  }

  /** Runs one statement. Returns its rows or throws a SparkFailure. */
  async sql(text: string): Promise<readonly SparkRow[]> {
    const { rows = [] } = await this.#send({ sql: text }, { more: `In: ${text}` });
    return rows;
  }

  /** Runs one statement and returns its rows as lists, with the names and types of the columns. */
  async typedSql(text: string): Promise<TypedRows> {
    const { answer } = await this.#send({ typed: text }, { more: `In: ${text}` });
    if (!answer) throw new Error("The driver returned no rows.");
    return answer;
  }

  /** Runs a notebook in a new session, as its job would. If the notebook fails, the result has the error. */
  async runNotebook(content: string, options: RunOptions = {}): Promise<NotebookRun> {
    const { parameters = {}, secrets = {}, on = "spark", crashAt } = options;
    if (crashAt?.signal && !this.#durable) throw new Error("A crash by a signal needs { durable: true }.");
    const request = { content, parameters, secrets, onDatabricks: on === "databricks", crashAt };
    const { ending, effects } = await this.#send(request, { mayCrash: crashAt?.signal === true });
    if (!ending) throw new Error("The driver did not report how the notebook ended.");
    return { ...ending, effects };
  }

  /** Runs a notebook that must complete. Otherwise it throws a SparkFailure with the trace and the output. */
  async completes(content: string, options: RunOptions = {}): Promise<NotebookRun> {
    const run = await this.runNotebook(content, options);
    if (run.error) throw new SparkFailure(run.error, `It had printed:\n${run.output}`);
    if (run.crashed) throw new Error("The run crashed, as crashAt requested.");
    return run;
  }

  /** Drops every schema and table, which is much faster than a new engine. Files in `folder` stay. */
  async clear(): Promise<void> {
    await this.#send({ clear: true });
  }

  async stop(): Promise<void> {
    await this.#driver?.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #send(request: object, { more = "", mayCrash = false } = {}): Promise<DriverResponse> {
    if (!this.#driver?.alive) this.#driver = await this.#start();
    const response = await this.#driver.send(request, mayCrash);
    if (response.failure) throw new SparkFailure(response.failure, more);
    return response;
  }
}

/** Takes a few seconds. Call `await engine.stop()` when done. */
export async function startSpark(options: SparkOptions = {}): Promise<SparkEngine> {
  const engine = new SparkEngine(await mkdtemp(join(tmpdir(), "spark-")), options);
  await engine.sql("SELECT 1");
  return engine;
}

/** Every point at which a run with these effects can crash. */
export const crashPoints = (run: NotebookRun): NotebookCrashPoint[] =>
  run.effects.flatMap((_, index) => [
    { effect: index + 1, when: "before" as const },
    { effect: index + 1, when: "after" as const },
  ]);
