import { type ListFields, listFields } from "@lakehelm/contract";
import { listColumns } from "./collection.ts";
import type { Database } from "./database.ts";
import { resourceTables } from "./tables.ts";

const batch = 500;

/** Fills the list columns of rows that an earlier version has written. An index finds them: usually there are none. */
export async function fillListColumns(engine: Database): Promise<void> {
  const slot = (n: number) => (engine.name === "sqlite" ? "?" : `$${n}`);
  for (const table of resourceTables) {
    const fields: ListFields | undefined = listFields[table as keyof typeof listFields];
    const select = `select position, doc from ${table} where created_at is null order by position limit ${batch}`;
    const columns = ["name", "status", "created_at", "updated_at", "created_by", "search_text"] as const;
    const assigned = columns.map((column, n) => `${column} = ${slot(n + 1)}`).join(", ");
    const update = `update ${table} set ${assigned} where position = ${slot(7)} and created_at is null`;
    for (;;) {
      const rows = await engine.read({ sql: select, parameters: [] });
      if (rows.length === 0) break;
      await engine.write(
        rows.map(({ position, doc }) => {
          const values = listColumns(fields, JSON.parse(String(doc)));
          return { sql: update, parameters: [...columns.map((column) => values[column]), Number(position)] };
        }),
      );
    }
  }
}
