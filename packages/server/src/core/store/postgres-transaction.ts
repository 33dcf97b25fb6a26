import type pg from "pg";
import { unavailable } from "../errors.ts";
import type { DatabaseRow, Statement, Transaction } from "./database.ts";
import { sendPipeline } from "./postgres-pipeline.ts";
import { postgresProblem } from "./postgres-problem.ts";
import { PendingTallies } from "./postgres-tallies.ts";
import { firstProblem, statements as sql } from "./postgres-writer.ts";

/** The most reads that are prepared on a connection, like the statements of a pipeline. The server has far fewer. */
const maxNames = 1000;

/** The names of texts, the same on all connections of a pool. */
type ReadNames = Map<string, string>;

function named(names: ReadNames, text: string): { readonly text: string; readonly name?: string } {
  const name = names.get(text) ?? (names.size < maxNames ? `lakehelm_read_${names.size}` : undefined);
  if (name === undefined) return { text };
  names.set(text, name);
  return { text, name };
}

/**
 * A transaction on a connection of its own. It takes turns with the groups of all servers, so that they do not
 * deadlock.
 */
export async function beginTransaction(
  pool: pg.Pool,
  readNames: ReadNames,
  { notify, onWritten }: { readonly notify: Statement; readonly onWritten: () => void },
): Promise<Transaction> {
  const client = await pool.connect().catch((error) => {
    throw postgresProblem(error);
  });
  const send = (statements: readonly Statement[]) => sendPipeline(client, statements);
  let last: Promise<unknown> = Promise.resolve();
  let isOpen = true;
  /** Sent with the next change: its savepoint, and the release of the last one. */
  let opening: readonly Statement[] = [sql.savepoint];
  let broken: Error | undefined;
  const tallies = new PendingTallies();

  /** Runs one use after the other, because a change consists of several round trips. */
  function inOrder<Result>(use: () => Promise<Result>): Promise<Result> {
    const result = last.then(async () => {
      if (!isOpen) throw new Error("The transaction has ended.");
      try {
        return await use();
      } catch (error) {
        throw postgresProblem(error);
      }
    });
    last = result.catch(() => {});
    return result;
  }

  async function executed(statements: readonly Statement[]): Promise<string> {
    const { error, last: tag } = await send(statements);
    if (error) {
      broken = error;
      throw error;
    }
    return tag;
  }

  async function countFor(statements: readonly Statement[]): Promise<void> {
    if (!statements.some((statement) => tallies.concern(statement))) return;
    await executed([...opening, ...tallies.take()]);
    opening = [sql.release, sql.savepoint];
  }

  function end(): void {
    isOpen = false;
    client.release(broken);
  }

  try {
    await executed([sql.begin, sql.takeTurn]);
  } catch (error) {
    end();
    throw postgresProblem(error);
  }
  return {
    read: (statement) =>
      inOrder(async () => {
        await countFor([statement]);
        try {
          const { sql: text, parameters } = statement;
          return (await client.query<DatabaseRow>({ ...named(readNames, text), values: [...parameters] }))
            .rows;
        } catch (error) {
          // After an error, PostgreSQL executes nothing more in this transaction.
          broken = error as Error;
          throw error;
        }
      }),
    write: (statements) =>
      inOrder(async () => {
        const { now, later } = tallies.split(statements);
        await countFor(now);
        const found = await firstProblem(send, opening, [now]).catch((error) => {
          broken = error;
          throw error;
        });
        opening = found ? [] : [sql.release, sql.savepoint];
        if (!found) {
          tallies.add(later);
          return undefined;
        }
        if (found === "none of them" || found.answer === "alone") {
          broken = new Error("The transaction was aborted.");
          throw unavailable(
            "The database is busy with concurrent changes to the same rows. Try again.",
            broken,
          );
        }
        await executed([sql.undo]);
        if (!found.answer) return undefined;
        if ("fault" in found.answer) throw found.answer.fault;
        const { at, why } = found.answer;
        return { at: statements.indexOf(now[at] as Statement), why };
      }),
    commit: () =>
      inOrder(async () => {
        try {
          const tag = await executed([...tallies.take(), notify, sql.commit]);
          if (tag !== "COMMIT") throw new Error(`PostgreSQL answered "${tag}" to a commit.`);
          onWritten();
        } finally {
          end();
        }
      }),
    rollback: () =>
      inOrder(async () => {
        // A broken connection is closed, and its transaction with it.
        if (!broken) await executed([sql.rollback]).catch(() => {});
        end();
      }),
  };
}
