import * as s from "../schema/index.ts";
import { shown } from "../text/display.ts";
import { editDistance } from "../text/nearest.ts";

/** A free-form map of a request: `connection.config` or `target_config`. */
export type Config = Readonly<Record<string, unknown>>;

export type ConfigValues<F extends s.Fields> = s.Infer<s.ModelSchema<F, Record<never, never>>>;

export interface ConfigResult<F extends s.Fields> {
  /** The value of an invalid field is absent, its default, or an empty value of its type. */
  readonly values: ConfigValues<F>;
  readonly problems: string[];
}

/** What is wrong with a key or its value. The config does not contain a key that is missing. */
export interface ConfigProblem {
  readonly key: string;
  readonly message: string;
  /** The problem concerns the key, not its value. */
  readonly ofKey?: true;
}

/** Keys that every connection and target accepts. `readTables` reads them. */
export const commonKeys = ["primary_keys", "watermark_columns", "pii_columns"];

export const isMap: (value: unknown) => value is Config = s.isObject;

export const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

/**
 * Reads the fields of a config. `path` is the config's name in problems: `connection.config`. Null and the empty string
 * count as absent. Unknown keys are allowed unless they look misspelled; `otherKeys` are also known.
 */
export function readConfig<const F extends s.Fields>(
  fields: F,
  config: Config,
  path: string,
  otherKeys: readonly string[] = [],
): ConfigResult<F> {
  const { values, problems } = readFields(fields, config, path);
  return {
    values,
    problems: [...problems, ...misspelledKeys(config, [...Object.keys(fields), ...otherKeys], path)],
  };
}

/** What is wrong with a config, each with the key that it is about. */
export function configProblems(
  fields: s.Fields,
  config: Config,
  path: string,
  otherKeys: readonly string[],
): ConfigProblem[] {
  return [
    ...checkedFields(fields, config, path).problems,
    ...misspellings(config, [...Object.keys(fields), ...otherKeys], path),
  ];
}

/** Reads the fields of a config, and ignores its other keys. */
export function readFields<const F extends s.Fields>(
  fields: F,
  config: Config,
  path: string,
): ConfigResult<F> {
  const { values, problems } = checkedFields(fields, config, path);
  return { values, problems: problems.map(({ message }) => message) };
}

function checkedFields<const F extends s.Fields>(
  fields: F,
  config: Config,
  path: string,
): { readonly values: ConfigValues<F>; readonly problems: readonly ConfigProblem[] } {
  const given = Object.fromEntries(
    Object.entries(config).filter(([key, value]) => !isAbsent(value, own(fields, key))),
  );
  const errors: s.ValidationError[] = [];
  const values: Record<string, unknown> = s.object(fields).check(given, [], errors);
  for (const key of new Set(errors.map(({ loc }) => String(loc[0])))) {
    const schema = own(fields, key);
    if (schema?.presence === "optional") delete values[key];
    else values[key] = schema?.presence === "defaulted" ? schema.fallback : schema?.check(undefined, [], []);
  }
  return {
    values: values as ConfigValues<F>,
    problems: errors.map(({ type, loc, msg }) => {
      const [key = "", ...rest] = loc.map(String);
      const field = [path, key, ...rest.map(shown)].join(".");
      return { key, message: `${field}: ${type === "missing" ? requiredText(own(fields, key)) : msg}.` };
    }),
  };
}

/** A misspelled key would otherwise be ignored. Other unknown keys belong to the caller. */
export const misspelledKeys = (config: Config, keys: readonly string[], path: string): string[] =>
  misspellings(config, keys, path).map(({ message }) => message);

function misspellings(config: Config, keys: readonly string[], path: string): ConfigProblem[] {
  const known = [...keys, ...commonKeys];
  return Object.keys(config)
    .filter((key) => !known.includes(key))
    .flatMap((key) => {
      // Keys can have any length, so only those of similar length are compared.
      const near = known.find(
        (candidate) =>
          Math.abs(candidate.length - key.length) <= 2 && editDistance(candidate, key.toLowerCase()) <= 2,
      );
      const message = `${path}: the key ${shown(key)} is not known. Did you mean "${near}"?`;
      return near ? [{ key, message, ofKey: true as const }] : [];
    });
}

/**
 * A warning about keys that have no effect; undefined if there are none. These keys belong to the caller, or to another
 * place.
 */
export function unknownKeysWarning(
  config: Config,
  keys: readonly string[],
  path: string,
): string | undefined {
  const known = [...keys, ...commonKeys];
  const unknown = Object.keys(config).filter((key) => !known.includes(key));
  if (unknown.length === 0) return undefined;
  const named = unknown.slice(0, mostNamedKeys).map(shown);
  const more = unknown.length > named.length ? ` and ${unknown.length - named.length} more` : "";
  return `${path}: ${named.join(", ")}${more} ${unknown.length === 1 ? "is not known and has" : "are not known and have"} no effect.`;
}

const mostNamedKeys = 5;

const own = (fields: s.Fields, key: string) => (Object.hasOwn(fields, key) ? fields[key] : undefined);

/** For a list or map, an empty string is an error instead. */
function isAbsent(value: unknown, schema: s.AnySchema | undefined): boolean {
  if (value !== "") return value === undefined || value === null;
  const type = schema?.jsonSchema(new Map()).type;
  return type !== "array" && type !== "object";
}

function requiredText(schema: s.AnySchema | undefined): string {
  const choices = schema?.jsonSchema(new Map()).enum;
  return Array.isArray(choices) ? `it is required: one of ${choices.join(", ")}` : "it is required";
}
