import { countedSentence } from "@lakehelm/contract/text";
/** A step of a run as data. A notebook or any other engine runs the steps in order. */
export type FlowStep =
  /** A SELECT that later steps read as `view`. */
  | (StepBase & {
      readonly kind: "view";
      readonly view: string;
      /** An expression for the date of a row: a run with a business date keeps only rows of that date. */
      readonly date?: string;
    })
  /** Creates a missing table, and adds columns of the view that the table lacks. */
  | (StepBase & { readonly kind: "table"; readonly table: string; readonly view: string })
  /** A statement without a result. */
  | (StepBase & { readonly kind: "statement" })
  /** A MERGE. Its result is the number of inserted, updated and deleted rows. */
  | (StepBase & {
      readonly kind: "merge";
      /** Present if the ON condition has casts: the condition, and the rows for translating it as a SELECT. */
      readonly matching?: { readonly on: string; readonly rows: string };
    })
  /**
   * A SELECT of one number. The run fails if the number is not zero. `command`: what to type instead, where `lakehelm`
   * runs the flow.
   */
  | (StepBase & { readonly kind: "guard"; readonly failure: string; readonly command?: string })
  /** A SELECT of the number of rows that are not published because another row has their key. */
  | (StepBase & { readonly kind: "count"; readonly remark: string; readonly level: "info" | "warn" });

/** Why a guard stops the run, and the command to type. */
export const guardSentence = (
  found: number,
  { failure, command }: Pick<Extract<FlowStep, { kind: "guard" }>, "failure" | "command">,
): string => `${countedSentence(found, failure)}${command === undefined ? "" : ` To do it: ${command}`}`;

interface StepBase {
  readonly name: string;
  /** A comment for readers of the notebook. */
  readonly about: string;
  readonly sql: string;
  /** The step runs only with, or only without, a business date. */
  readonly only?: "with a date" | "without a date";
}
