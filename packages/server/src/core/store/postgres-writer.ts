import type pg from "pg";
import { Problem, unavailable } from "../errors.ts";
import type { Refusal, Statement } from "./database.ts";
import { type PipelineAnswer, sendOneByOne, sendPipeline } from "./postgres-pipeline.ts";
import { postgresProblem } from "./postgres-problem.ts";

export interface PostgresWriter {
  /** Writes outside of a group, and each statement may take as long as a query. */
  writeAlone(statements: readonly Statement[]): Promise<Refusal | undefined>;
  write(statements: readonly Statement[]): Promise<Refusal | undefined>;
  /** Resolves when every change that was accepted is answered. */
  close(): Promise<void>;
}

interface WriterOptions {
  readonly lockWaitMs: number;
  /** Tells other servers about a commit. */
  readonly notify: Statement;
  /** Called after each commit that others need to know of, before the callers continue. */
  readonly onWritten: () => void;
}

interface PendingWrite {
  readonly statements: readonly Statement[];
  readonly done: (refusal: Refusal | undefined) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * The result of a change. Undefined: it is written. "alone": nothing is decided, and the change is written outside of
 * the group.
 */
type Answer = Refusal | { readonly fault: unknown } | "alone" | undefined;

/** The most changes of one transaction. */
const maxGroup = 100;
/** How often a change is tried alone if it deadlocks. */
const tries = 5;

const plain = (sql: string): Statement => ({ sql, parameters: [] });
const begin = plain("begin");
const savepoint = plain("savepoint change");
const release = plain("release savepoint change");
const undo = plain("rollback to savepoint change");
const commit = plain("commit");
const rollback = plain("rollback");
/**
 * Transactions that lock the same rows in different orders deadlock, and PostgreSQL looks for that only after a second.
 * So the groups of all servers take turns. Nothing else depends on the turns: if another server hangs in its turn, each
 * change of a group is written alone.
 */
const takeTurn = plain("select pg_advisory_xact_lock(7203412)");

/**
 * Group commit: changes that arrive during a transaction form the next one, which takes two round trips and one flush to
 * the disk. A refused change is left out, and the others are written. A change that waits longer than `lockWaitMs` for a
 * locked row leaves its group, too, and waits alone.
 */
export function createPostgresWriter(
  pool: pg.Pool,
  { lockWaitMs, notify, onWritten }: WriterOptions,
): PostgresWriter {
  const limitWaits = plain(`set local lock_timeout = ${Math.ceil(lockWaitMs)}`);
  const accepted = new Set<Promise<unknown>>();
  let queued: PendingWrite[] = [];
  let isBusy = false;

  async function send(): Promise<void> {
    if (isBusy || queued.length === 0) return;
    isBusy = true;
    const group = queued.slice(0, maxGroup);
    queued = queued.slice(maxGroup);
    const changes = group.map(({ statements }) => statements);
    const answers = await inTransaction(sendPipeline, changes, [
      begin,
      limitWaits,
      takeTurn,
      savepoint,
    ]).catch((fault) => changes.map((): Answer => ({ fault })));
    isBusy = false;
    // The next group starts before the callers of this one continue.
    void send();
    for (const [at, one] of group.entries()) settle(one, answers[at]);
  }

  function settle({ statements, done, failed }: PendingWrite, answer: Answer): void {
    if (answer === "alone") writeAlone(statements).then(done, failed);
    else if (answer && "fault" in answer) failed(postgresProblem(answer.fault));
    else done(answer);
  }

  async function writeAlone(statements: readonly Statement[]): Promise<Refusal | undefined> {
    for (let n = 1; n <= tries; n++) {
      // From the second try on, the change takes turns with the groups, so that they do not deadlock again.
      const opening = n === 1 ? [begin, savepoint] : [begin, takeTurn, savepoint];
      const [answer] = await inTransaction(sendOneByOne, [statements], opening).catch((fault) => [{ fault }]);
      if (answer === "alone") continue;
      if (answer && "fault" in answer) throw postgresProblem(answer.fault);
      return answer;
    }
    throw unavailable("The database is busy with concurrent changes to the same rows. Try again.");
  }

  async function inTransaction(
    sendTo: typeof sendPipeline,
    changes: readonly (readonly Statement[])[],
    opening: readonly Statement[],
  ): Promise<Answer[]> {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      const answers = await writeGroup((sent) => sendTo(client, sent), opening, changes, notify);
      if (needsNotification(changes, answers)) onWritten();
      return answers;
    } catch (error) {
      // The transaction is in an unknown state: its connection is discarded.
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  function accept(written: Promise<Refusal | undefined>): Promise<Refusal | undefined> {
    accepted.add(written);
    const forget = () => void accepted.delete(written);
    written.then(forget, forget);
    return written;
  }

  return {
    write: (statements) =>
      accept(
        new Promise((done, failed) => {
          // Changes of one event loop turn are sent together.
          if (queued.push({ statements, done, failed }) === 1) setImmediate(send);
        }),
      ),
    writeAlone: (statements) => accept(writeAlone(statements)),
    async close() {
      while (accepted.size > 0) await Promise.allSettled(accepted);
    },
  };
}

type Send = (statements: readonly Statement[]) => Promise<PipelineAnswer>;

/**
 * Writes changes in one transaction: normally all in one round trip, and the commit in another. If a change is refused,
 * the changes before it are executed again, then that change with those after it. So a change is refused only because
 * of changes that are written, never because of one that is not.
 */
async function writeGroup(
  send: Send,
  opening: readonly Statement[],
  changes: readonly (readonly Statement[])[],
  notify: Statement,
): Promise<Answer[]> {
  const answers: Answer[] = changes.map(() => undefined);
  let before = opening;
  let end = changes.length;
  for (let from = 0, to = end; from < end; ) {
    const found = await firstProblem(send, before, changes.slice(from, to));
    if (found === "none of them") {
      await send([rollback]);
      return changes.map(() => "alone");
    }
    before = found ? [undo] : [release, savepoint];
    const at = from + (found?.change ?? 0);
    if (!found) {
      from = to;
      to = end;
    } else if (found.answer === "alone") {
      // A group waits for a lock only once: the changes after this one might wait for the same lock.
      answers.fill("alone", at);
      end = at;
      to = at;
    } else if (at === from) {
      answers[at] = found.answer;
      from += 1;
      to = end;
    } else {
      to = at;
    }
  }
  if (answers.every((answer) => answer !== undefined)) {
    await send([rollback]);
    return answers;
  }
  const notification = needsNotification(changes, answers) ? [notify] : [];
  const closing = [...(before[0] === undo ? [undo] : []), ...notification, commit];
  const { last, error } = await send(closing);
  if (error) throw error;
  if (last !== "COMMIT") throw new Error(`PostgreSQL answered "${last}" to a commit.`);
  return answers;
}

/** For transactions that a caller holds open. */
export const statements = { begin, takeTurn, savepoint, release, undo, commit, rollback };

/** Whether something was written that other servers, and the polls of this one, need to know of. */
const needsNotification = (changes: readonly (readonly Statement[])[], answers: readonly Answer[]): boolean =>
  changes.some((statements, at) => answers[at] === undefined && statements.some(({ isSilent }) => !isSilent));

interface Found {
  /** The first change that was not executed as expected. */
  readonly change: number;
  readonly answer: Answer;
}

/**
 * Executes changes in one round trip. "none of them": this transaction cannot continue, but each change can be tried
 * alone.
 */
export async function firstProblem(
  send: Send,
  before: readonly Statement[],
  changes: readonly (readonly Statement[])[],
): Promise<Found | "none of them" | undefined> {
  const { counts, error } = await send([...before, ...changes.flat()]);
  const code = codeOf(error);
  let executed = counts.slice(before.length);
  for (const [change, statements] of changes.entries()) {
    const at = statements.findIndex(({ expect }, n) => {
      const count = executed[n];
      return expect !== undefined && count !== undefined && count !== expect;
    });
    if (at >= 0) return { change, answer: { at, why: "missed" } };
    if (executed.length < statements.length) {
      if (counts.length < before.length && code === lockTimeout) return "none of them";
      if (code === deadlock || code === serializationFailure) return "none of them";
      if (!error || counts.length < before.length || endsTransaction(error)) throw error;
      return { change, answer: answerTo(error, executed.length) };
    }
    executed = executed.slice(statements.length);
  }
  return undefined;
}

const uniqueViolation = "23505";
const foreignKeyViolation = "23503";
const serializationFailure = "40001";
const deadlock = "40P01";
const lockTimeout = "55P03";
const statementTimeout = "57014";

const codeOf = (error: unknown) => (error as { code?: string } | undefined)?.code;

/** A wrong or slow statement fails its own change; a lost connection or a full disk fails all of them. */
const endsTransaction = (error: Error) =>
  postgresProblem(error) instanceof Problem && codeOf(error) !== statementTimeout;

function answerTo(error: Error, at: number): Answer {
  const code = codeOf(error);
  if (code === uniqueViolation) return { at, why: "duplicate" };
  if (code === foreignKeyViolation) return { at, why: "referenced" };
  return code === lockTimeout ? "alone" : { fault: error };
}
