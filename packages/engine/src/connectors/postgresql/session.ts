import { randomBytes } from "node:crypto";
import pg from "pg";
import { DataProblem } from "../../protocol/problem.ts";
import { postgresProblem } from "./problem.ts";
import { clientConfig, type PostgresSettings, serverName } from "./settings.ts";

/** Names a session so that it can be found among those of the server. PostgreSQL keeps 63 letters. */
export const sessionName = ({ options }: PostgresSettings): string =>
  `${(options.application_name ?? "lakehelm").slice(0, 45)} ${randomBytes(6).toString("hex")}`;

/** One connection to a PostgreSQL, made when it is first needed. Everything that goes wrong is told in words. */
export class PostgresSession {
  readonly settings: PostgresSettings;
  readonly name: string;
  readonly #signal: AbortSignal;
  #client: Promise<pg.Client> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(settings: PostgresSettings, signal: AbortSignal) {
    this.settings = settings;
    this.name = sessionName(settings);
    this.#signal = signal;
  }

  get place(): string {
    return serverName(this.settings);
  }

  client(): Promise<pg.Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async query<Row extends pg.QueryResultRow>(
    doing: string,
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<pg.QueryResult<Row>> {
    const client = await this.client();
    return this.run(doing, () => client.query<Row>(sql, [...values]));
  }

  /** What fails because the run was called off says so; other failures say what was being done. */
  async run<Result>(doing: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      this.#signal.throwIfAborted();
      throw postgresProblem(error, doing);
    }
  }

  async close(): Promise<void> {
    this.#signal.removeEventListener("abort", this.#stop);
    await this.#stopping;
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }

  async #connect(): Promise<pg.Client> {
    this.#signal.throwIfAborted();
    const client = new pg.Client(clientConfig(this.settings, this.name));
    // A connection that is lost while nobody asks anything: the next question tells.
    client.on("error", () => {});
    await this.run(`Cannot connect to ${this.place} as ${this.settings.user}`, () => client.connect());
    this.#signal.addEventListener("abort", this.#stop);
    return client;
  }

  readonly #stop = () => {
    this.#stopping = cancelSession(this.settings, this.name);
  };
}

/** Ends what a session is doing, also when it waits for a lock. A server that does not answer is left alone. */
export async function cancelSession(settings: PostgresSettings, name: string): Promise<void> {
  const client = new pg.Client(clientConfig(settings, sessionName(settings)));
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [
      name,
    ]);
  } catch (error) {
    if (!(postgresProblem(error, "") instanceof DataProblem)) throw error;
  } finally {
    await client.end().catch(() => {});
  }
}
