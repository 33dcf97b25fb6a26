import type { Selection } from "../../editor/editor.ts";

/** A statement that was run, and its position in the editor. */
export interface Statement {
  readonly sql: string;
  readonly environment: string;
  readonly dialect: "databricks" | "duckdb";
  readonly start: Pick<Selection, "line" | "column">;
}
