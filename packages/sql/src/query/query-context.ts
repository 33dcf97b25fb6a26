import type { SqlToken } from "../lexer/token.ts";
import type { TableName } from "../names/table-name.ts";
import type { SyntaxNode } from "../parser/syntax-tree.ts";
import type { RowType } from "./row-type.ts";
import type { EnclosingScope } from "./scope.ts";

/** A table that a text names, as plain parts, and the offsets of the name. */
export interface TableReference {
  readonly table: TableName;
  readonly start: number;
  readonly end: number;
}

/** The inputs and results of the analysis of one text. */
export interface QueryContext {
  /** Adds a diagnostic at an offset of the text. */
  report(at: number, message: string): void;
  /** Converts a character offset of the parser to a UTF-16 offset. */
  toOffset(characters: number): number;
  readonly tokens: readonly SqlToken[];
  /** Declared tables by their plain names, with their columns if known. */
  readonly declared: ReadonlyMap<string, readonly string[] | undefined>;
  /** The types of the tables' columns, if known: by table, then by the column's name in lower case. */
  readonly types?: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Declared tables whose definitions have errors: their columns are not checked. */
  readonly invalid: ReadonlySet<string>;
  /**
   * The message for a table that is not declared. `close` returns a suggestion with a similar name, or an empty string.
   */
  unknownTable(table: string, close: () => string, declared: readonly string[]): string;
  /** The defaults for names of fewer than three parts. */
  readonly catalog: string;
  readonly schema: string;
  /** Tables that the query reads, by their plain names. */
  readonly tables: Set<string>;
  /** Where the text names these tables, in FROM and as qualifiers of columns: the offsets of the whole name. */
  readonly references: TableReference[];
  /** Tables and SELECTs of the tree that the analysis has visited. */
  readonly visited: Set<SyntaxNode>;
  /** The first item of the outermost SELECT list, and the offsets of all items. */
  readonly outermost: SyntaxNode | undefined;
  readonly items: readonly number[];
  /** Analyzes a query within another one. */
  query(node: unknown, enclosing: EnclosingScope): RowType;
}
