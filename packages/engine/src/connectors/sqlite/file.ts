import { open } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { DataProblem } from "../../protocol/problem.ts";
import { requireNoLinkedLogs } from "../database-logs.ts";
import { requireOpened } from "../opened-file.ts";
import type { SourceContext } from "../source/context.ts";

const longestValue = 256 * 2 ** 20;

/**
 * The real path of a SQLite file. Throws a DataProblem if opening it could affect other files: a log is a link, or the
 * journal names another file.
 */
export async function resolveSqliteFile(
  path: string,
  { resolvePath }: Pick<SourceContext, "resolvePath">,
): Promise<string> {
  const real = await resolvePath(path);
  await requireNoLinkedLogs(real, ["-journal", "-wal", "-shm"]);
  if (await namesOtherFile(`${real}-journal`)) {
    throw new DataProblem(
      `${path} cannot be opened: its journal names another file, to end a transaction of several databases. Open it once with the program that wrote it.`,
    );
  }
  return real;
}

/** The last bytes of a journal that ends with the name of a "super-journal". SQLite would delete that file. */
const nameMark = Buffer.from("d9d505f920a163d7", "hex");

async function namesOtherFile(journal: string): Promise<boolean> {
  const handle = await open(journal).catch(() => undefined);
  if (handle === undefined) return false;
  try {
    const { size } = await handle.stat();
    const end = Buffer.alloc(nameMark.length);
    await handle.read(end, 0, end.length, Math.max(0, size - end.length));
    return end.equals(nameMark);
  } finally {
    await handle.close();
  }
}

/**
 * Opens a foreign SQLite file by its real path. It cannot reach another file: no ATTACH, no extensions, and its views, triggers and defaults
 * run no function that has side effects.
 */
export function openForeignSqlite(
  path: string,
  options: { readonly readOnly: boolean; readonly timeout: number },
): DatabaseSync {
  const database = new DatabaseSync(path, {
    ...options,
    allowExtension: false,
    defensive: true,
    limits: { attach: 0, length: longestValue },
  });
  try {
    // SQLite has read nothing yet.
    if (database.location() !== path) throw new DataProblem(`${path} was replaced by a link.`);
    requireOpened(path);
  } catch (error) {
    database.close();
    throw error;
  }
  database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
  return database;
}
