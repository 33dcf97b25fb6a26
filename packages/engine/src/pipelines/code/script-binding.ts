import { loadSqlParser } from "@lakehelm/sql";
import { type PipelineProblem, type PlainStatement, readScript } from "@lakehelm/sql/pipelines";
import type { ScriptPlanRequest } from "../../protocol/script.ts";
import { knownColumns } from "../../warehouse/catalog/known-columns.ts";
import { interruptible } from "../../warehouse/interrupt.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { type BoundStatement, bindStatement } from "../statements/statement-binding.ts";
import { Binder, BindingFailed } from "./binder.ts";
import { readCatalogSnapshot } from "./catalog-snapshot.ts";
import { columnNames, expectedTables, withExpected } from "./expected-tables.ts";
import { insertLiterals, parameterLiterals } from "./parameter-values.ts";

/** A statement of a script: a query in DuckDB's dialect, or a change. */
export type ScriptStep =
  | { readonly query: string; readonly change?: never }
  | { readonly change: BoundStatement; readonly query?: never };

export interface BoundScript {
  readonly problems: readonly PipelineProblem[];
  readonly steps: readonly ScriptStep[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** The catalog that the script writes to; null if it only reads. */
  readonly catalog: string | null;
}

/** Binds the statements of a script. Writes nothing but empty temporary tables. */
export async function bindScript(
  warehouse: Warehouse,
  { scope, sql: text, parameters, types, expected = [] }: ScriptPlanRequest,
  signal: AbortSignal,
): Promise<BoundScript> {
  const sql = await loadSqlParser();
  const connection = await warehouse.connect();
  try {
    return await interruptible(connection, signal, async () => {
      const known = await knownColumns(warehouse, connection);
      const later = expectedTables(expected, known);
      const snapshot = await readCatalogSnapshot(warehouse, connection);
      const { catalog, schema, environment } = scope;
      const rules = {
        catalog,
        schema,
        tables: withExpected(known, later, columnNames),
        unknown: later.unknown,
        configuration: {},
        path: "",
        parameters: Object.keys(parameters),
      };
      const read = readScript(sql, text, rules);
      if (read.problems) return { problems: read.problems, steps: [], reads: [], writes: [], catalog: null };
      const { texts, values } = parameterLiterals(parameters, types);
      const binder = new Binder("", { warehouse, connection, environment, signal, snapshot }, values);
      for (const { name, columns } of later.tables) await binder.addTable(name, columns);
      const isKnown = ({
        reads,
        writes = [],
      }: {
        readonly reads: readonly string[];
        readonly writes?: readonly string[];
      }) => ![...reads, ...writes].some((name) => later.unknown.includes(name));
      const steps: ScriptStep[] = [];
      const plain: PlainStatement[] = [];
      for (const statement of read.statements) {
        const one = insertLiterals(statement, texts);
        // The tables that this statement creates are unknown, too.
        if (!isKnown(one)) break;
        try {
          if (one.kind === "query") steps.push({ query: (await binder.bind(one)).sql });
          else {
            steps.push({ change: await bindStatement(binder, one) });
            plain.push(one);
          }
        } catch (error) {
          // Later statements may need what this statement creates.
          if (error instanceof BindingFailed) break;
          throw error;
        }
      }
      const written = writtenCatalog(binder, plain);
      return {
        problems: binder.problems,
        steps,
        reads: [...new Set(read.statements.flatMap(({ reads }) => reads))],
        writes: [...new Set(plain.flatMap(({ writes }) => writes))],
        catalog: written,
      };
    });
  } finally {
    connection.closeSync();
  }
}

/** A DuckDB transaction can write to one file only, and each catalog is a file. */
function writtenCatalog(binder: Binder, statements: readonly PlainStatement[]): string | null {
  let first: string | null = null;
  for (const { meaning, location } of statements) {
    const catalog = (
      meaning.verb === "create_schema" ? meaning.catalog : meaning.table.catalog
    ).toLowerCase();
    first ??= catalog;
    if (catalog === first) continue;
    const catalogs = `this script writes to the catalogs ${first} and ${catalog}`;
    binder.addProblem(location, `${catalogs}, but a transaction can only write to one: split the script.`);
    break;
  }
  return first;
}
