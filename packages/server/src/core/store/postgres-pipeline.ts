import type pg from "pg";
import type { Statement } from "./database.ts";

/** What the database answered: the statements that were executed, and the error of the one after them. */
export interface PipelineAnswer {
  /** The number of rows that each executed statement changed. */
  readonly counts: readonly number[];
  readonly last: string;
  readonly error: Error | undefined;
}

/**
 * Sends statements in one round trip: all of them, then one Sync. The database executes them in order and skips those
 * after the first error. `pg` has no such query of its own: its pipeline mode has a Sync, and with it a packet in each
 * direction, for every statement.
 */
export function sendPipeline(
  client: pg.ClientBase,
  statements: readonly Statement[],
): Promise<PipelineAnswer> {
  return new Promise((resolve) => void client.query(new Pipeline(statements, resolve)));
}

/** The same with one round trip for each statement: each may take as long as a query. */
export async function sendOneByOne(
  client: pg.ClientBase,
  statements: readonly Statement[],
): Promise<PipelineAnswer> {
  const counts: number[] = [];
  let last = "";
  for (const statement of statements) {
    const answer = await sendPipeline(client, [statement]);
    if (answer.error) return { counts, last, error: answer.error };
    counts.push(...answer.counts);
    last = answer.last;
  }
  return { counts, last, error: undefined };
}

/** The most statements that are prepared on a connection. The server has far fewer; a caller cannot add any. */
const maxPrepared = 1000;

interface Prepared {
  readonly names: Map<string, string>;
  /** The names of statements that the database certainly has. */
  readonly known: Set<string>;
}

const prepared = new WeakMap<pg.Connection, Prepared>();

/** The methods are those that `pg` calls on a query while it is active. */
class Pipeline {
  readonly #statements: readonly Statement[];
  readonly #counts: number[] = [];
  readonly #done: (answer: PipelineAnswer) => void;
  #last = "";
  #prepared: Prepared = { names: new Map(), known: new Set() };
  /** Called when the query ends. `pg` wraps it to enforce `query_timeout`. */
  callback: (error?: Error | null) => void = () => {};

  constructor(statements: readonly Statement[], done: (answer: PipelineAnswer) => void) {
    this.#statements = statements;
    this.#done = done;
  }

  submit(connection: pg.Connection): void {
    this.#prepared = prepared.getOrInsertComputed(connection, () => ({
      names: new Map(),
      known: new Set(),
    }));
    connection.stream.cork();
    try {
      const parsed = new Set(this.#prepared.known);
      for (const statement of this.#statements) this.#add(connection, statement, parsed);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  #add(connection: pg.Connection, { sql, parameters }: Statement, parsed: Set<string>): void {
    const name = this.#nameOf(sql);
    if (!parsed.has(name)) {
      // After an error it is unknown whether the database has the statement. Closing one that it does not have is no
      // error.
      connection.close({ type: "S", name }, true);
      connection.parse({ name, text: sql, types: [] }, true);
      if (name !== "") parsed.add(name);
    }
    const values = parameters.map((value) => (value === null ? null : String(value)));
    connection.bind({ statement: name, values }, true);
    connection.execute(null, true);
  }

  #nameOf(sql: string): string {
    const { names } = this.#prepared;
    const name = names.get(sql);
    if (name !== undefined || names.size >= maxPrepared) return name ?? "";
    names.set(sql, `lakehelm_${names.size}`);
    return `lakehelm_${names.size - 1}`;
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    // "UPDATE 2", "INSERT 0 1", "COMMIT"
    const sql = this.#statements[this.#counts.length]?.sql ?? "";
    const name = this.#prepared.names.get(sql);
    if (name !== undefined) this.#prepared.known.add(name);
    this.#counts.push(Number(/ (\d+)$/.exec(text)?.[1] ?? 0));
    this.#last = text;
  }

  handleReadyForQuery(): void {
    this.#end(undefined);
  }

  handleError(error: Error): void {
    this.#end(error);
  }

  #end(error: Error | undefined): void {
    this.callback(error);
    this.#done({ counts: this.#counts, last: this.#last, error });
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}
