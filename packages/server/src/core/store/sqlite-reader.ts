import { DatabaseSync, type StatementSync } from "node:sqlite";
import { sqliteProblem } from "./sqlite-problem.ts";

export interface SnapshotReader {
  at<Result>(sql: string, read: (statement: StatementSync) => Result): Result;
  /** Ends the snapshot of this event loop turn: the next read sees what is committed by then. */
  end(): void;
  close(): void;
}

/**
 * The read connection. All reads of one event loop turn share a snapshot: acquiring and releasing SQLite's locks costs
 * two thirds of a small read (4.7 µs alone, 1.5 µs inside a snapshot).
 */
export function openReader(path: string, busyTimeoutMs: number): SnapshotReader {
  const database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  database.exec("pragma cache_size = -8000");
  const prepared = new Map<string, StatementSync>();
  const begin = database.prepare("begin");
  const commit = database.prepare("commit");
  let inSnapshot = false;

  function end(): void {
    if (!inSnapshot) return;
    inSnapshot = false;
    commit.run();
  }

  return {
    at(sql, read) {
      try {
        if (!inSnapshot) {
          begin.run();
          inSnapshot = true;
          setImmediate(end);
        }
        let statement = prepared.get(sql);
        if (!statement) {
          statement = database.prepare(sql);
          prepared.set(sql, statement);
        }
        return read(statement);
      } catch (error) {
        end();
        throw sqliteProblem(error as Error);
      }
    },
    end,
    close() {
      end();
      database.close();
    },
  };
}
