import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { type DefinedDataset, digest, mentioned } from "../source/definition.ts";

interface TableDefinition {
  readonly file: string;
  /**
   * SQLite increments it with every change of the schema, also if a table is dropped and created again, and with
   * VACUUM.
   */
  readonly version: number;
  /**
   * The statement that created the table, or its hash if it is long; for a view, a hash that includes what the view
   * mentions.
   */
  readonly sql: string;
}

const longestStatement = 20_000;

export function defineTable(database: DatabaseSync, path: string, name: string): DefinedDataset {
  const { dev, ino } = statSync(path, { bigint: true });
  const objects = database
    .prepare("SELECT name, type, sql FROM sqlite_schema WHERE type IN ('table', 'view')")
    .all();
  const definitions = new Map(objects.map(({ name, sql }) => [String(name), String(sql)]));
  const own = definitions.get(name) ?? "";
  const isView = objects.some((one) => one.name === name && one.type === "view");
  const version = Number(database.prepare("PRAGMA schema_version").get()?.schema_version);
  const definition: TableDefinition = {
    file: `${dev}:${ino}`,
    version,
    sql: isView || own.length > longestStatement ? digest([own, ...mentioned(own, definitions)]) : own,
  };
  return {
    definition: { ...definition },
    compare(stored) {
      const before = stored as unknown as TableDefinition;
      if (before.file !== definition.file) return { reason: "the file was replaced by another one" };
      if (before.version === version) return undefined;
      if (before.sql !== definition.sql && isView)
        return { reason: "its view, or what it reads, has another definition" };
      // An added column alone is no reason to read the rows again.
      if (before.sql !== definition.sql && isExtended(before.sql, definition.sql)) return undefined;
      return { reason: "the schema of the file was changed: the table may have been created again" };
    },
  };
}

/** ALTER TABLE … ADD COLUMN writes the column before the end of the statement. */
const isExtended = (before: string, now: string): boolean => {
  const end = before.lastIndexOf(")");
  return end > 0 && now.startsWith(before.slice(0, end).trimEnd());
};
