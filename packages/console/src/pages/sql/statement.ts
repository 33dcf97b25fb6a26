import type { Selection } from "../../editor/editor.ts";

/** What was run, and where it begins in the editor. */
export interface Statement {
  readonly sql: string;
  readonly environment: string;
  readonly dialect: "databricks" | "duckdb";
  readonly start: Pick<Selection, "line" | "column">;
}
