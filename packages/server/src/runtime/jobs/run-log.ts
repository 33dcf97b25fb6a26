import { setImmediate as turn } from "node:timers/promises";
import type { RunLine } from "@lakehelm/contract";
import { counted, verbFor } from "@lakehelm/contract/text";
import { sql } from "kysely";
import type { Dependencies } from "../../core/dependencies.ts";
import { type Step, VersionConflict } from "../../core/store/store.ts";
import { unrecorded } from "../../core/system.ts";
import { KeptLines, keptCharacters, keptLines } from "./kept-lines.ts";

type Level = RunLine["level"];

/** Collects the log lines of one attempt. */
export interface LineWriter {
  line(level: Level, text: string): void;
  /** Writes the remaining lines. */
  close(): Promise<void>;
}

type RunLogRow = { run_id: string; n: number; time: string; level: Level; line: string };

interface FoundLines {
  readonly lines: RunLine[];
  readonly examined: number;
}

export interface RunLog {
  open(runId: string): Promise<LineWriter>;
  /** A single line as a step of another change. */
  append(runId: string, level: Level, line: string, time: string): Step;
  read(runId: string, after: number, limit: number): Promise<RunLine[]>;
  /** The number of the last line; 0: there is none. */
  last(runId: string): Promise<number>;
  /** Which lines up to the last one are not kept; null: all are. */
  leftOut(runId: string, last: number): Promise<{ readonly after: number; readonly lines: number } | null>;
  /** Lines that contain a text, in any case, and the number of the last line that was examined. */
  search(runId: string, after: number, limit: number, text: string): Promise<FoundLines>;
  /** All lines: a log has a limited size. */
  whole(runId: string): Promise<RunLine[]>;
  /** A line at a given position as a step of another change. */
  insert(row: RunLogRow): Step;
  /** Calls back when a run may have new lines. Returns the function that unsubscribes. */
  onLines(runId: string, listener: () => void): () => void;
  /** Wakes the readers of a run. */
  wake(runId: string): void;
}

const bufferMs = 200;
const longestLine = 8 * 1024;
const linesPerStatement = 100;
/** A search reads this many lines, then yields to other requests; and it examines at most `mostExamined` lines. */
const stretch = 2_000;
const mostExamined = 50_000;
/** The largest number of a line that PostgreSQL compares with. */
const maxLine = 2 ** 31 - 1;

export function createRunLog({ store, system }: Dependencies): RunLog {
  const listeners = new Map<string, Set<() => void>>();
  const insert = store.prepare(
    (db, v: { run_id: string; n: number; time: string; level: string; line: string }) =>
      db
        .insertInto("run_log")
        .values({ run_id: v.run_id, n: v.n, time: v.time, level: v.level, line: v.line }),
  );
  // A statement for each line takes ten times as long: a program may print thousands of lines at once.
  const insertMany = store.prepare((db, v: Readonly<Record<string, string | number>>) =>
    db.insertInto("run_log").values(
      Array.from({ length: linesPerStatement }, (_, at) => ({
        run_id: v.run_id as string,
        n: v[`n${at}`] as number,
        time: v[`time${at}`] as string,
        level: v[`level${at}`] as string,
        line: v[`line${at}`] as string,
      })),
    ),
  );
  const insertAll = (runId: string, lines: readonly RunLine[]): Step[] => {
    const steps: Step[] = [];
    let at = 0;
    for (; at + linesPerStatement <= lines.length; at += linesPerStatement) {
      const values = lines
        .slice(at, at + linesPerStatement)
        .flatMap(({ n, time, level, line }, k) => [
          [`n${k}`, n] as const,
          [`time${k}`, time] as const,
          [`level${k}`, level] as const,
          [`line${k}`, line] as const,
        ]);
      steps.push(insertMany({ run_id: runId, ...Object.fromEntries(values) }));
    }
    return [...steps, ...lines.slice(at).map((line) => insert({ ...line, run_id: runId }))];
  };
  const append = store.prepare((db, v: { run_id: string; time: string; level: string; line: string }) =>
    db.insertInto("run_log").values({
      run_id: v.run_id,
      n: sql<number>`(select coalesce(max(n), 0) + 1 from run_log where run_id = ${v.run_id})`,
      time: v.time,
      level: v.level,
      line: v.line,
    }),
  );
  const sizes = store.prepare((db, v: { run_id: string }) =>
    db
      .selectFrom("run_log")
      .select(["n", sql<number>`length(line)`.as("length")])
      .where("run_id", "=", v.run_id)
      .orderBy("n"),
  );
  const leaveOut = store.prepare((db, v: { run_id: string; from: number; to: number }) =>
    db.deleteFrom("run_log").where("run_id", "=", v.run_id).where("n", ">=", v.from).where("n", "<=", v.to),
  );
  const count = store.prepare((db, v: { run_id: string }) =>
    db
      .selectFrom("run_log")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("run_id", "=", v.run_id)
      .where("n", "<=", sql.lit(keptLines + 2)),
  );
  const page = store.prepare((db, v: { run_id: string; after: number; limit: number }) =>
    db
      .selectFrom("run_log")
      .select(["n", "time", "level", "line"])
      .where("run_id", "=", v.run_id)
      .where("n", ">", v.after)
      .orderBy("n")
      .limit(v.limit),
  );
  const lastLine = store.prepare((db, v: { run_id: string }) =>
    db
      .selectFrom("run_log")
      .select((eb) => eb.fn.max<number | null>("n").as("last"))
      .where("run_id", "=", v.run_id),
  );
  const keptOf = async (runId: string) =>
    KeptLines.of(
      (await store.all(sizes({ run_id: runId }))).map(({ n, length }) => ({ n, length: Number(length) })),
    );
  const lastOf = async (runId: string) => Number((await store.one(lastLine({ run_id: runId })))?.last ?? 0);

  async function read(runId: string, after: number, limit: number): Promise<RunLine[]> {
    const rows = await store.all(page({ run_id: runId, after: Math.min(after, maxLine), limit }));
    return rows.map((row) => ({ ...row, level: row.level as Level }));
  }

  function wake(runId: string): void {
    for (const listener of listeners.get(runId) ?? []) listener();
  }

  return {
    async open(runId) {
      let kept = await keptOf(runId);
      let buffered: RunLine[] = [];
      let recorded = kept.leftOut?.to;
      let timer: NodeJS.Timeout | undefined;
      let writing: Promise<void> | undefined;

      const take = ({ time, level, line }: Omit<RunLine, "n">) => {
        const n = kept.last + 1;
        kept.add({ n, length: line.length });
        buffered.push({ n, time, level, line });
      };

      /** Lines that are left out by now are not written at all. */
      function stepsOf(lines: readonly RunLine[]): Step[] {
        const { leftOut } = kept;
        const isKept = ({ n }: RunLine) => !leftOut || n < leftOut.from || n > leftOut.to;
        const steps = insertAll(runId, lines.filter(isKept));
        if (!leftOut || leftOut.to === recorded) return steps;
        const { from, to } = leftOut;
        const line = `${counted(to - from + 1, "line")} ${verbFor(to - from + 1, "was", "were")} left out here: a log keeps its first and its last ${keptLines} lines, or ${keptCharacters} characters of each.`;
        const note = { run_id: runId, n: from, time: system.now().toISOString(), level: "warn", line };
        return [leaveOut({ run_id: runId, from, to }), insert(note), ...steps];
      }

      async function write(lines: readonly RunLine[], tries = 2): Promise<void> {
        const { leftOut } = kept;
        try {
          await store.apply({ context: unrecorded, steps: stepsOf(lines), events: [] });
          recorded = leftOut?.to;
          wake(runId);
        } catch (error) {
          // Another writer added a line, or the run was deleted. A log that cannot be written must not stop the run.
          if (!(error instanceof VersionConflict) || tries === 0) return;
          const stored = await keptOf(runId);
          const again = [...lines, ...buffered];
          kept = stored;
          recorded = stored.leftOut?.to;
          buffered = [];
          for (const line of again) take(line);
          const renumbered = buffered;
          buffered = [];
          await write(renumbered, tries - 1);
        }
      }

      function flush(): void {
        clearTimeout(timer);
        timer = undefined;
        if (writing || buffered.length === 0) return;
        const lines = buffered;
        buffered = [];
        writing = write(lines).finally(() => {
          writing = undefined;
          if (buffered.length > 0) timer ??= setTimeout(flush, bufferMs);
        });
      }

      return {
        line(level, text) {
          take({ time: system.now().toISOString(), level, line: storable(text) });
          const { leftOut } = kept;
          // While the database is slow, memory holds not much more than the lines that are kept.
          if (leftOut && buffered.length > 4 * keptLines)
            buffered = buffered.filter(({ n }) => n < leftOut.from || n > leftOut.to);
          timer ??= setTimeout(flush, bufferMs);
        },
        async close() {
          while (writing || buffered.length > 0) {
            flush();
            await writing;
          }
          clearTimeout(timer);
        },
      };
    },
    append: (runId, level, line, time) => append({ run_id: runId, level, line: storable(line), time }),
    read,
    last: lastOf,
    async search(runId, after, limit, text) {
      const wanted = text.toLowerCase();
      const lines: RunLine[] = [];
      let examined = after;
      while (examined - after < mostExamined) {
        const some = await read(runId, examined, stretch);
        for (const line of some) {
          examined = line.n;
          if (line.line.toLowerCase().includes(wanted)) lines.push(line);
          if (lines.length === limit) return { lines, examined };
        }
        if (some.length < stretch) break;
        await turn();
      }
      return { lines, examined };
    },
    // Lines of several attempts, and those that are steps of other changes, may exceed the limit a little.
    whole: (runId) => read(runId, 0, 4 * keptLines),
    async leftOut(runId, last) {
      // The gap begins right after the head, so the rest of a long log need not be counted.
      const found = Number((await store.one(count({ run_id: runId })))?.count ?? 0);
      if (found >= Math.min(last, keptLines + 2)) return null;
      const { leftOut } = await keptOf(runId);
      return leftOut ? { after: leftOut.from, lines: leftOut.to - leftOut.from } : null;
    },
    insert,
    onLines(runId, listener) {
      const some = listeners.get(runId) ?? new Set();
      listeners.set(runId, some.add(listener));
      return () => {
        some.delete(listener);
        if (some.size === 0) listeners.delete(runId);
      };
    },
    wake,
  };
}

/** PostgreSQL rejects NUL in text, and both databases reject unpaired surrogates. */
function storable(text: string): string {
  const line =
    text.length > longestLine
      ? `${text.slice(0, longestLine)} … (${counted(text.length, "character")})`
      : text;
  return line.replaceAll("\0", "␀").toWellFormed();
}
