import { type Shape, shapeOf, withoutGaps } from "../../ui/value-shape.ts";

type Values = Readonly<Record<string, unknown>>;

/** A field of a template's form, derived from the template's complete example. */
export interface RequestField {
  readonly name: string;
  /** Undefined: SQL. */
  readonly shape: Shape | undefined;
}

export const fieldsOf = (example: Values): readonly RequestField[] =>
  Object.entries(example).map(([name, value]) => ({
    name,
    shape: name.endsWith("_sql") ? undefined : shapeOf(value),
  }));

/** The request for the values of the form. Empty fields are left out. */
export const requestOf = (values: Values): Values =>
  withoutGaps(
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== "")),
  ) as Values;
