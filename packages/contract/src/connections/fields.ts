/** The fields of connection configs. Messages complete the sentence "connection.config.port: …". */
import * as s from "../schema/index.ts";
import { hidden, shown } from "../text/display.ts";

/** A string. Only `credential(…)` fields may be references to secrets. */
export const text = () =>
  s
    .string()
    .message("it must be a string")
    .refine((value) => (hidden.test(value) ? "it contains an invisible character" : undefined));

/** A string that is needed before the connector runs, so it cannot contain references to secrets. */
export const plainText = () =>
  text().refine((value) => (value.includes("{{") ? 'it must not contain "{{"' : undefined));

/** One of these strings, in any case. */
export const oneOf = <const Choice extends string>(...choices: readonly [Choice, ...Choice[]]) =>
  new OneOfSchema(choices);

/** An integer, also written as a string of digits. */
export const integer = (least: number, most: number) =>
  s
    .integer({ mode: "digits", ge: least, le: most })
    .message(`it must be an integer from ${least} to ${most}`);

/** A number, also written as a string. */
export const number = (least: number, most: number) =>
  s
    .any()
    .transform((value) => (typeof value === "string" ? Number(value) : value) as number)
    .refine((value) =>
      typeof value === "number" && value >= least && value <= most
        ? undefined
        : `it must be a number from ${least} to ${most}`,
    );

/** A number from 0 to 1, also written as a string. */
export const share = () => number(0, 1);

export const textList = () => s.list(s.string()).message("it must be a list of strings");

/** Options of readers and drivers: a map of strings. Numbers and booleans are converted. */
export const options = () => new OptionsSchema("required").default({});

class OneOfSchema<Choice extends string> extends s.Schema<Choice> {
  readonly choices: readonly [Choice, ...Choice[]];

  constructor(choices: readonly [Choice, ...Choice[]]) {
    super("required");
    this.choices = choices;
  }
  check(value: unknown, loc: s.Loc, errors: s.ValidationError[]): Choice {
    const before = errors.length;
    const word = text().check(value, loc, errors);
    const found = this.choices.find((choice) => choice === word.toLowerCase());
    if (found === undefined && errors.length === before) {
      s.addError(errors, loc, "custom", `${shown(word)} is not one of ${this.choices.join(", ")}`, value);
    }
    return found ?? this.choices[0];
  }
  jsonSchema(): s.JsonSchema {
    return { type: "string", enum: [...this.choices] };
  }
}

class OptionsSchema extends s.Schema<Record<string, string>, Record<string, string | number | boolean>> {
  check(value: unknown, loc: s.Loc, errors: s.ValidationError[]): Record<string, string> {
    if (!s.isObject(value)) {
      s.addError(errors, loc, "custom", "it must be a map", value);
      return {};
    }
    const entries = Object.entries(value);
    for (const [name, item] of entries) {
      if (!["string", "number", "boolean"].includes(typeof item)) {
        const msg = "it must be a string, a number, true or false";
        s.addError(errors, [...loc, name], "custom", msg, item);
      }
      if (name === "" || hidden.test(name)) {
        s.addError(errors, loc, "custom", `${shown(name)} cannot be the name of an option`, value);
      }
    }
    return Object.fromEntries(entries.map(([name, item]) => [name, String(item)]));
  }
  jsonSchema(): s.JsonSchema {
    return { type: "object", additionalProperties: { type: ["string", "number", "boolean"] } };
  }
}
