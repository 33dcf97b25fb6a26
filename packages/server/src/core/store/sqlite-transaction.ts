import { DatabaseSync, type StatementSync } from "node:sqlite";
import { unavailable } from "../errors.ts";
import type { DatabaseRow, Refusal, Statement, Transaction } from "./database.ts";
import type { SqliteError } from "./sqlite-batch.ts";
import { sqliteProblem } from "./sqlite-problem.ts";

/** What a transaction needs from the database that it belongs to. */
interface TransactionOwner {
  /** Ends the transaction and writes these statements as one change, before all others. */
  readonly write: (statements: readonly Statement[]) => Promise<Refusal | undefined>;
  /** Ends the transaction: other changes continue. */
  readonly release: () => void;
}

export interface SqliteTransactions {
  begin(owner: TransactionOwner): Transaction;
  close(): void;
}

/**
 * Transactions on a connection of this thread, one at a time, while the writer thread waits. This connection never
 * commits: a commit rolls it back and gives its statements to the writer thread, so that the flush to the disk blocks
 * no request. The statements have the same effect there, because nothing was written in between.
 */
export function openTransactions(path: string, busyTimeoutMs: number): SqliteTransactions {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  database.exec("pragma foreign_keys = on; pragma cache_size = -8000");
  const prepared = new Map<string, StatementSync>();
  const at = (sql: string) => prepared.getOrInsertComputed(sql, () => database.prepare(sql));

  function execute(statements: readonly Statement[]): Refusal | undefined {
    for (const [index, { sql, parameters, expect }] of statements.entries()) {
      try {
        const { changes } = at(sql).run(...parameters);
        if (expect !== undefined && changes !== expect) return { at: index, why: "missed" };
      } catch (error) {
        const why = constraint(error as SqliteError);
        if (!why) throw sqliteProblem(error as Error);
        return { at: index, why };
      }
    }
    return undefined;
  }

  return {
    begin(owner) {
      const written: Statement[] = [];
      let isOpen = true;
      database.exec("begin immediate");

      /** After some errors, SQLite has already ended the transaction. */
      function end(): void {
        if (!isOpen) throw new Error("The transaction has ended.");
        isOpen = false;
        if (database.isTransaction) database.exec("rollback");
      }

      return {
        async read({ sql, parameters }) {
          if (!isOpen) throw new Error("The transaction has ended.");
          try {
            return at(sql).all(...parameters) as DatabaseRow[];
          } catch (error) {
            throw sqliteProblem(error as Error);
          }
        },
        async write(statements) {
          if (!isOpen) throw new Error("The transaction has ended.");
          at("savepoint change").run();
          let isDone = false;
          try {
            const refusal = execute(statements);
            isDone = refusal === undefined;
            return refusal;
          } finally {
            if (isDone) written.push(...statements);
            else if (database.isTransaction) at("rollback to change").run();
            if (database.isTransaction) at("release change").run();
          }
        },
        async commit() {
          end();
          if (written.length === 0) return owner.release();
          const refusal = await owner.write(written);
          if (refusal) throw unavailable("The database has changed during the transaction. Try again.");
        },
        async rollback() {
          end();
          owner.release();
        },
      };
    },
    close: () => database.close(),
  };
}

/** The same codes as in the writer thread: SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY and _FOREIGNKEY. */
function constraint({ errcode }: SqliteError): Refusal["why"] | undefined {
  if (errcode === 2067 || errcode === 1555) return "duplicate";
  return errcode === 787 ? "referenced" : undefined;
}
