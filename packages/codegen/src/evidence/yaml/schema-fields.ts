import * as s from "@lakehelm/contract/schema";

/** Fields of YAML files. Values are not coerced, because readers of YAML 1.1 and 1.2 must get the same value. */
export const text = s.string({ min: 1 });
export const anyText = s.string();
export const matching = (pattern: RegExp) => s.string({ min: 1, pattern });
export const whole = (least = 0) => s.integer({ mode: "strict", ge: least });
export const flag = s.boolean({ strict: true });
export const list = <Item extends s.AnySchema>(item: Item) => s.list(item, { min: 1 });
export const map = <Value extends s.AnySchema>(value: Value, keys = /./) => s.map(value, { keys });

type FieldGroups = NonNullable<s.ModelOptions["groups"]>;

/** An object with these fields and no others. */
export const fields = <const Required extends s.Fields, const Optional extends s.Fields>(
  required: Required,
  optional: Optional,
  groups: FieldGroups = [],
) => s.object({ ...required, ...s.partial(optional) }, { closed: true, groups });
