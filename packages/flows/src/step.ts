/** A run as data: what a notebook shows and runs, and what any other engine can run in the same order. */
export type FlowStep =
  /** A SELECT whose result the later steps read by the name `view`. */
  | (StepBase & {
      readonly kind: "view";
      readonly view: string;
      /** An expression: with a business date, only rows where it is that date. */
      readonly date?: string;
    })
  /** Creates a table where it is missing, and adds the columns that the view has and the table has not. */
  | (StepBase & { readonly kind: "table"; readonly table: string; readonly view: string })
  /** A statement without a result. */
  | (StepBase & { readonly kind: "statement" })
  /** A MERGE: its result is how many rows it inserted, updated and deleted. */
  | (StepBase & { readonly kind: "merge" })
  /** A SELECT of one number: the run fails where it is not zero. */
  | (StepBase & { readonly kind: "guard"; readonly failure: string });

interface StepBase {
  readonly name: string;
  /** Why, for the reader of the notebook. */
  readonly about: string;
  readonly sql: string;
  /** The step belongs only to runs with, or without, a business date. */
  readonly only?: "with a date" | "without a date";
}
