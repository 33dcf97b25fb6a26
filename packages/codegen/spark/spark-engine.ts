import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, Driver } from "./driver.ts";
import type { Ending, Failure, Row } from "./driver-messages.ts";

export interface EngineOptions {
  /** Catalogs beside `spark_catalog`; all show the same schemas and tables. */
  readonly catalogs?: readonly string[];
  /** Keeps the catalog on disk, so that tables outlive a killed process. Each start then takes a little longer. */
  readonly durable?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  /** Of the machine that Spark runs on. */
  readonly timeZone?: string;
}

/** A point at which a run dies: before or after the n-th thing (from 1) that it does to the world. */
export interface PointOfDeath {
  readonly effect: number;
  readonly when: "before" | "after";
  /** The whole process dies by SIGKILL, and the next request starts a new one; the engine must be durable. */
  readonly signal?: boolean;
}

export interface RunOptions {
  readonly parameters?: Readonly<Record<string, string>>;
  /** By `scope/key`: environment variables on Spark, `dbutils.secrets` on Databricks. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Which world the notebook finds: `spark` (the default) has no `dbutils`, no `spark`, no `display`. */
  readonly on?: "spark" | "databricks";
  readonly dieAt?: PointOfDeath;
}

export interface Run extends Ending {
  /** What it began to do to the world, in order: writing statements, writes, commits, requests. */
  readonly effects: readonly string[];
}

/** Thrown where Spark refuses a statement, or where a notebook that should have run through did not. */
class SparkFailure extends Error {
  readonly condition: string | undefined;

  constructor({ condition, trace }: Failure, more = "") {
    super(`${trace}${more}`);
    this.condition = condition;
  }
}

/** A real Spark with Delta, with a warehouse of its own. */
export class Engine {
  /** Everything that it keeps on disk; goes with stop(). Suites may put files for their notebooks here. */
  readonly folder: string;
  readonly #durable: boolean;
  readonly #start: () => Promise<Driver>;
  #driver: Driver | undefined;

  constructor(folder: string, options: EngineOptions) {
    const { catalogs = [], durable = false, settings = {}, timeZone = "UTC" } = options;
    this.folder = folder;
    this.#durable = durable;
    this.#start = () => Driver.start({ folder, catalogs, durable, settings, timeZone });
  }

  /** One statement. Its rows, or a SparkFailure. */
  async sql(text: string): Promise<readonly Row[]> {
    const { rows = [] } = await this.#ask({ sql: text }, { more: `In: ${text}` });
    return rows;
  }

  /** Runs a notebook in a new session, as its job would. Its failure is part of the result. */
  async runNotebook(content: string, options: RunOptions = {}): Promise<Run> {
    const { parameters = {}, secrets = {}, on = "spark", dieAt } = options;
    if (dieAt?.signal && !this.#durable)
      throw new Error("A run that dies by a signal needs { durable: true }.");
    const request = { content, parameters, secrets, onDatabricks: on === "databricks", dieAt };
    const { ending, effects } = await this.#ask(request, { mayDie: dieAt?.signal === true });
    if (!ending) throw new Error("The driver did not say how the notebook ended.");
    return { ...ending, effects };
  }

  /** Runs a notebook that must run through: otherwise a SparkFailure with its trace and what it printed. */
  async completes(content: string, options: RunOptions = {}): Promise<Run> {
    const run = await this.runNotebook(content, options);
    if (run.error) throw new SparkFailure(run.error, `It had printed:\n${run.output}`);
    if (run.died) throw new Error("The run died, as dieAt said.");
    return run;
  }

  /** Drops every schema and table, much faster than a new engine. Files in `folder` stay. */
  async clear(): Promise<void> {
    await this.#ask({ clear: true });
  }

  async stop(): Promise<void> {
    await this.#driver?.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #ask(request: object, { more = "", mayDie = false } = {}): Promise<Answer> {
    if (!this.#driver?.alive) this.#driver = await this.#start();
    const answer = await this.#driver.ask(request, mayDie);
    if (answer.failure) throw new SparkFailure(answer.failure, more);
    return answer;
  }
}

/** A few seconds; `await engine.stop()` when done. */
export async function startSpark(options: EngineOptions = {}): Promise<Engine> {
  const engine = new Engine(await mkdtemp(join(tmpdir(), "spark-")), options);
  await engine.sql("SELECT 1");
  return engine;
}

/** Every point at which a run with these effects can die. */
export const pointsOfDeath = (run: Run): PointOfDeath[] =>
  run.effects.flatMap((_, index) => [
    { effect: index + 1, when: "before" as const },
    { effect: index + 1, when: "after" as const },
  ]);
