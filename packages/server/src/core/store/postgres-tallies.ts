import type { CountedRow, Statement } from "./database.ts";
import { widths } from "./positions.ts";

/**
 * The tallies of a transaction, counted at its end or before they are read. PostgreSQL keeps every version of a row
 * until the commit and examines them all at the next update: counting a thousand rows one by one took two thirds of a
 * batch's time.
 */
export class PendingTallies {
  #rows: CountedRow[] = [];

  /** Splits a change into what is executed now and what is counted later. */
  split(statements: readonly Statement[]): { now: Statement[]; later: CountedRow[] } {
    return {
      now: statements.filter(({ counts }) => !counts),
      later: statements.flatMap(({ counts }) => counts ?? []),
    };
  }

  add(rows: readonly CountedRow[]): void {
    this.#rows.push(...rows);
  }

  /** Whether the pending rows must be counted before this statement. */
  concern({ sql }: Statement): boolean {
    return this.#rows.length > 0 && /\btallies\b/.test(sql);
  }

  /** The statements that count all pending rows. */
  take(): Statement[] {
    const byTable = Map.groupBy(this.#rows, ({ table }) => table);
    this.#rows = [];
    return [...byTable].map(([table, rows]) => {
      const counted = rows.flatMap(({ id, lists }) => lists.map((list) => ({ id, list })));
      return { sql: countIn(table), parameters: [JSON.stringify(counted)] };
    });
  }
}

/** In the order in which single changes lock tallies. */
const countIn = (table: string) => `insert into tallies (list, width, bucket, n)
  select counted.list, widths.width, placed.position / widths.width as bucket, count(*)
  from json_to_recordset($1::json) as counted(id text, list text)
  join "${table}" as placed on placed.id = counted.id
  cross join (values ${widths.map((width) => `(${width})`).join(", ")}) as widths(width)
  group by 1, 2, 3 order by 1, 2 desc, 3
  on conflict (list, width, bucket) do update set n = tallies.n + excluded.n`;
