import type { ResultColumn } from "../query/row-type.ts";
import type { PipelineFlow } from "./plan.ts";
import type { SourceStatement } from "./statements/statement.ts";

/** A flow of a dataset and its columns; undefined if the columns are unknown because of an error. */
export interface AnalyzedFlow {
  readonly flow: PipelineFlow;
  readonly statement: SourceStatement;
  /** Offset of the dataset's name in the statement. */
  readonly at: number;
  readonly columns: readonly ResultColumn[] | undefined;
}
