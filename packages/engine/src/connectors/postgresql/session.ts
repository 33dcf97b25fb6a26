import { randomBytes } from "node:crypto";
import pg from "pg";
import { allowedAddresses, pinnedSocket } from "../../egress/egress.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { postgresProblem } from "./problem.ts";
import { clientConfig, type PostgresSettings, serverName } from "./settings.ts";

/** A unique application name, by which the session is found on the server. PostgreSQL keeps 63 characters. */
export const sessionName = (settings: PostgresSettings): string =>
  `${programName(settings)} ${randomBytes(6).toString("hex")}`;

const programName = ({ options }: PostgresSettings): string =>
  (options.application_name ?? "lakehelm").slice(0, 45);

/** Whether a session with this name may be one of a run with these settings. */
export const isOwnSession = (settings: PostgresSettings, name: string): boolean =>
  name.startsWith(`${programName(settings)} `) && /^[0-9a-f]{12}$/.test(name.slice(-12));

/** Connects to an address that the rules allow. A failed connection is closed. */
export async function connectPostgres(
  settings: PostgresSettings,
  name: string,
  /** Then the session also understands the commands of replication, but no prepared statements. */
  { forReplication = false } = {},
): Promise<pg.Client> {
  const { egress, host, port } = settings;
  const addresses = await allowedAddresses(egress, host, port);
  const client = new pg.Client({
    ...clientConfig(settings, name),
    ...(forReplication && { replication: "database" }),
    stream: () => pinnedSocket(addresses, host, port),
  });
  // A connection that is lost while idle is reported by the next query.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** One connection to PostgreSQL, opened on first use. Errors become DataProblems. */
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

  get serverName(): string {
    return serverName(this.settings);
  }

  client(): Promise<pg.Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async query<Row extends pg.QueryResultRow>(
    action: string,
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<pg.QueryResult<Row>> {
    const client = await this.client();
    return this.run(action, () => client.query<Row>(sql, [...values]));
  }

  /** Runs work, and maps its errors: an aborted run throws its reason, other errors name the failed action. */
  async run<Result>(action: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      this.#signal.throwIfAborted();
      throw postgresProblem(error, action);
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
    const client = await this.run(`Cannot connect to ${this.serverName} as ${this.settings.user}`, () =>
      connectPostgres(this.settings, this.name),
    );
    this.#signal.addEventListener("abort", this.#stop);
    return client;
  }

  readonly #stop = () => {
    this.#stopping = cancelSession(this.settings, this.name);
  };
}

/** Terminates a session, also one that waits for a lock. Ignores a server that does not respond. */
export async function cancelSession(settings: PostgresSettings, name: string): Promise<void> {
  let client: pg.Client | undefined;
  try {
    client = await connectPostgres(settings, sessionName(settings));
    await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [
      name,
    ]);
  } catch (error) {
    if (!(postgresProblem(error, "") instanceof DataProblem)) throw error;
  } finally {
    await client?.end().catch(() => {});
  }
}
