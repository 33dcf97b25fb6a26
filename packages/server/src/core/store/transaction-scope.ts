import { AsyncLocalStorage } from "node:async_hooks";
import { Problem, unavailable } from "../errors.ts";
import type { Database, Refusal, Statement, Transaction } from "./database.ts";
import type { EventRow } from "./store.ts";

/** The work of a scope: everything that it writes to the scope's database belongs to one transaction. */
export interface TransactionScope {
  /** The events written so far. */
  readonly events: EventRow[];
  /** Commits everything that was written so far. Without a commit, a scope writes nothing. */
  commit(): Promise<void>;
}

export interface TransactionScopes {
  /**
   * A database for code that runs within a scope. Reads outside of a scope see what is committed; writes outside of one
   * fail, also those of work that a scope left behind.
   */
  readonly database: Database;
  /** The scope that the code runs in. */
  current(): TransactionScope | undefined;
  /** Runs work in a new scope. Rolls back what is not committed when the work ends or exceeds the time limit. */
  run<Result>(timeLimitMs: number, work: (scope: TransactionScope) => Promise<Result>): Promise<Result>;
}

/** The most characters that one transaction writes: the writer gets them in one message. */
const maxWritten = 32 * 1024 * 1024;

class Scope implements TransactionScope {
  readonly events: EventRow[] = [];
  readonly #engine: Database;
  #transaction: Promise<Transaction> | undefined;
  #size = 0;
  #ended = false;

  /** Committed, being committed, or rolled back. */
  get isEnded(): boolean {
    return this.#ended;
  }

  constructor(engine: Database) {
    this.#engine = engine;
  }

  async read(statement: Statement) {
    this.#requireOpen();
    const transaction = await this.#transaction;
    return transaction ? transaction.read(statement) : this.#engine.read(statement);
  }

  /** The transaction begins with the first change: until then, others need not wait for it. */
  async write(statements: readonly Statement[]): Promise<Refusal | undefined> {
    this.#requireOpen();
    for (const { sql, parameters } of statements) {
      this.#size += sql.length;
      for (const value of parameters) this.#size += typeof value === "string" ? value.length : 8;
    }
    if (this.#size > maxWritten) {
      throw new Problem("tooLarge", `One transaction writes at most ${maxWritten / 1024 / 1024} MB.`);
    }
    this.#transaction ??= this.#engine.begin();
    return (await this.#transaction).write(statements);
  }

  async commit(): Promise<void> {
    this.#requireOpen();
    this.#ended = true;
    await (await this.#transaction)?.commit();
  }

  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    // If the transaction could not begin, there is nothing to roll back.
    const transaction = await this.#transaction?.catch(() => undefined);
    await transaction?.rollback();
  }

  #requireOpen(): void {
    if (this.#ended) throw new Error("The transaction has ended.");
  }
}

export function createTransactionScopes(engine: Database): TransactionScopes {
  const scopes = new AsyncLocalStorage<Scope>();
  const read = (statement: Statement) => (scopes.getStore() ?? engine).read(statement);

  return {
    database: {
      ...engine,
      // Nothing may be cached: caches would not notice a rollback.
      exclusive: false,
      read,
      readOne: async (statement) => (await read(statement))[0],
      async write(statements) {
        const scope = scopes.getStore();
        if (!scope) throw new Error("A change needs a transaction scope.");
        return scope.write(statements);
      },
      begin: () => Promise.reject(new Error("A transaction scope has one transaction.")),
      close: async () => {},
    },
    current: () => scopes.getStore(),
    async run(timeLimitMs, work) {
      const scope = new Scope(engine);
      const timeout = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        if (scope.isEnded) return;
        timeout.reject(
          unavailable(`This took longer than ${timeLimitMs / 1000} seconds. Nothing was written.`),
        );
      }, timeLimitMs);
      try {
        return await Promise.race([scopes.run(scope, () => work(scope)), timeout.promise]);
      } finally {
        clearTimeout(timer);
        await scope.end();
      }
    },
  };
}
