import { type Shape, shapeOf, withoutGaps } from "../../ui/value-shape.ts";

type Values = Readonly<Record<string, unknown>>;

/** A field of the form of a template: made from its complete example. */
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

/** The request that a form means: a field that is empty is left out. */
export const requestOf = (values: Values): Values =>
  withoutGaps(
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== "")),
  ) as Values;
