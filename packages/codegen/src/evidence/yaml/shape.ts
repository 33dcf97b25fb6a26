import { shown } from "@lakehelm/contract/text";

/** What a value in a YAML file must be, as data. Nothing but what is named is let through. */
export type Shape = TextShape | WholeShape | FlagShape | ListShape | MapShape | FieldsShape;

interface TextShape {
  readonly kind: "text";
  readonly among?: readonly string[];
  readonly pattern?: RegExp;
  /** Whether it may be the empty text. */
  readonly empty?: boolean;
}
interface WholeShape {
  readonly kind: "whole";
  readonly least: number;
}
interface FlagShape {
  readonly kind: "flag";
}
interface ListShape<S extends Shape = Shape> {
  readonly kind: "list";
  readonly of: S;
}
interface MapShape<S extends Shape = Shape> {
  readonly kind: "map";
  readonly of: S;
  readonly keys: RegExp;
}
type Fields = Readonly<Record<string, Shape>>;
interface FieldsShape<R extends Fields = Fields, O extends Fields = Fields> {
  readonly kind: "fields";
  readonly required: R;
  readonly optional: O;
  /** Groups of fields of which only one can be there; with `one`, exactly one. */
  readonly only: readonly Choice[];
}
interface Choice {
  readonly fields: readonly string[];
  readonly one: boolean;
}

/** The type of the values that fit a shape. */
export type Of<S> = S extends TextShape
  ? string
  : S extends WholeShape
    ? number
    : S extends FlagShape
      ? boolean
      : S extends ListShape<infer I>
        ? readonly Of<I>[]
        : S extends MapShape<infer I>
          ? Readonly<Record<string, Of<I>>>
          : S extends FieldsShape<infer R, infer O>
            ? { readonly [K in keyof R]: Of<R[K]> } & { readonly [K in keyof O]?: Of<O[K]> }
            : never;

export const text: TextShape = { kind: "text" };
export const anyText: TextShape = { kind: "text", empty: true };
export const among = (...texts: string[]): TextShape => ({ kind: "text", among: texts });
export const matching = (pattern: RegExp): TextShape => ({ kind: "text", pattern });
export const whole = (least = 0): WholeShape => ({ kind: "whole", least });
export const flag: FlagShape = { kind: "flag" };
export const list = <S extends Shape>(of: S): ListShape<S> => ({ kind: "list", of });
export const map = <S extends Shape>(of: S, keys = /./): MapShape<S> => ({ kind: "map", of, keys });
export const fields = <R extends Fields, O extends Fields>(
  required: R,
  optional: O,
  only: readonly Choice[] = [],
): FieldsShape<R, O> => ({ kind: "fields", required, optional, only });
export const atMostOne = (...names: string[]): Choice => ({ fields: names, one: false });
export const exactlyOne = (...names: string[]): Choice => ({ fields: names, one: true });

/** Whether a value fits; every reason why it does not is added to the problems, with the path of the place. */
export function fits<S extends Shape>(
  value: unknown,
  shape: S,
  problems: string[],
): value is Of<S> & typeof value {
  const before = problems.length;
  look(value, shape, "", problems);
  return problems.length === before;
}

function look(value: unknown, shape: Shape, place: string, problems: string[]): void {
  const expected = (what: string) =>
    problems.push(`${place || "The file"}: Expected ${what}, found ${kindOf(value)}.`);
  switch (shape.kind) {
    case "text":
      if (typeof value !== "string") expected("text");
      else if (value === "") {
        if (!shape.empty) expected("text that is not empty");
      } else if (shape.among && !shape.among.includes(value)) {
        problems.push(`${place}: Expected one of ${shape.among.join(", ")}, found ${shown(value)}.`);
      } else if (shape.pattern && !shape.pattern.test(value)) {
        problems.push(`${place}: ${shown(value)} is not of the form ${shape.pattern.source}.`);
      }
      return;
    case "whole":
      if (!Number.isSafeInteger(value) || Number(value) < shape.least) {
        problems.push(`${place}: Expected a whole number from ${shape.least} on.`);
      }
      return;
    case "flag":
      if (typeof value !== "boolean") expected("true or false");
      return;
    case "list":
      if (!Array.isArray(value)) expected("a list");
      else if (value.length === 0) problems.push(`${place}: The list is empty.`);
      else for (const [at, item] of value.entries()) look(item, shape.of, `${place}[${at}]`, problems);
      return;
    case "map":
      if (!isObject(value)) return void expected("a map");
      for (const [key, item] of Object.entries(value)) {
        if (!shape.keys.test(key)) {
          problems.push(`${place}: The key ${shown(key)} is not of the form ${shape.keys.source}.`);
        }
        look(item, shape.of, below(place, key), problems);
      }
      return;
    case "fields":
      if (!isObject(value)) return void expected("fields");
      lookAtFields(value, shape, place, problems);
  }
}

function lookAtFields(
  value: Readonly<Record<string, unknown>>,
  shape: FieldsShape,
  place: string,
  problems: string[],
) {
  for (const [key, item] of Object.entries(value)) {
    const inner = own(shape.required, key) ?? own(shape.optional, key);
    if (inner) look(item, inner, below(place, key), problems);
    else problems.push(`${below(place, key)}: The key is not known here.`);
  }
  for (const key of Object.keys(shape.required)) {
    if (!Object.hasOwn(value, key)) problems.push(`${below(place, key)}: It is missing.`);
  }
  for (const { fields: names, one } of shape.only) {
    const given = names.filter((name) => Object.hasOwn(value, name));
    if (given.length > 1) problems.push(`${place}: ${given.join(" and ")} cannot be there together.`);
    if (given.length === 0 && one) problems.push(`${place}: One of ${names.join(", ")} is missing.`);
  }
}

const own = (shapes: Fields, key: string) => (Object.hasOwn(shapes, key) ? shapes[key] : undefined);

/** `resources.jobs.ingest` */
const below = (place: string, key: string) => {
  const name = /^[\w-]+$/.test(key) ? key : shown(key);
  return place === "" ? name : `${place}.${name}`;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const kindOf = (value: unknown) => {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a map" : value === "" ? "none" : `a ${typeof value}`;
};
