import { countedSentence } from "@lakehelm/contract/text";
/** A step of a run as data. A notebook or any other engine runs the steps in order. */
export type FlowStep =
  /** A SELECT that later steps read as `view`. */
  | (StepBase & {
      readonly kind: "view";
      readonly view: string;
      /** An expression for the date of a row: a run with a business date keeps only its rows. */
      readonly date?: string;
    })
  /** Creates a table if it is missing, and adds the columns of the view that it lacks. */
  | (StepBase & { readonly kind: "table"; readonly table: string; readonly view: string })
  /** A statement without a result. */
  | (StepBase & { readonly kind: "statement" })
  /** A MERGE. Its result is the number of inserted, updated and deleted rows. */
  | (StepBase & {
      readonly kind: "merge";
      /** What follows its ON, if that has casts, and what a SELECT of it would read. */
      readonly matching?: { readonly on: string; readonly rows: string };
    })
  /** A SELECT of one number. The run fails if it is not zero. `command`: what to type instead, where `lakehelm` runs the flow. */
  | (StepBase & { readonly kind: "guard"; readonly failure: string; readonly command?: string })
  /** A SELECT of the number of rows that are not published, because another row of their key is. */
  | (StepBase & { readonly kind: "count"; readonly remark: string; readonly level: "info" | "warn" });

/** Why a guard stops the run, and what to type. */
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
