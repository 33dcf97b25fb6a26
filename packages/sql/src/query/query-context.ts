import type { SqlToken } from "../lexer/token.ts";
import type { SyntaxNode } from "../parser/syntax-tree.ts";
import type { RowType } from "./row-type.ts";
import type { EnclosingScope } from "./scope.ts";

/** What is known and found out while one text is read. */
export interface QueryContext {
  /** Notes a mistake at an offset of the text. */
  report(at: number, message: string): void;
  /** Turns the library's count of characters into an offset. */
  toOffset(characters: number): number;
  readonly tokens: readonly SqlToken[];
  /** Declared tables by their plain names, with their columns where these are known. */
  readonly declared: ReadonlyMap<string, readonly string[] | undefined>;
  /** Those of them that are wrong themselves: of their columns nothing is said. */
  readonly invalid: ReadonlySet<string>;
  /** The sentence for a table that is not declared. `close` looks for one of a similar name: a suggestion, or nothing. */
  unknownTable(table: string, close: () => string, declared: readonly string[]): string;
  /** What names of fewer than three parts are completed with. */
  readonly catalog: string;
  readonly schema: string;
  /** Tables that were read, by their plain names. */
  readonly tables: Set<string>;
  /** Tables and SELECTs of the tree that were looked at. */
  readonly visited: Set<SyntaxNode>;
  /** The first column of the outermost SELECT, and where each of its columns begins. */
  readonly outermost: SyntaxNode | undefined;
  readonly items: readonly number[];
  /** Reads a query within another one. */
  query(node: unknown, enclosing: EnclosingScope): RowType;
}
