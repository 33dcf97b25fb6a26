import {
  type AnySchema,
  documentedSchema,
  isObject,
  type JsonSchema,
  type Loc,
  modelOf,
  type Refs,
  type ValidationError,
} from "@lakehelm/contract/schema";
import { suggestion } from "@lakehelm/contract/text";
import { invalidValueText } from "../../invalid-value.ts";
import type { Path } from "../read/tree.ts";

export interface Finding {
  readonly path: Path;
  readonly message: string;
  /** The problem concerns the last key of the path, not its value. */
  readonly ofKey?: true;
}

/** Checks a value as the server does, and also what the server ignores or checks later: unknown keys and extensions. */
export function schemaFindings(
  schema: AnySchema,
  value: unknown,
  without: readonly string[] = [],
): Finding[] {
  const errors: ValidationError[] = [];
  const loc: Loc = [];
  schema.check(value, loc, errors);
  for (const [name, field] of modelOf(schema)?.fieldEntries ?? []) {
    const inner = documentedSchema(field);
    if (inner === field || !isObject(value) || value[name] === undefined) continue;
    inner.check(value[name], [name], errors);
  }
  const { json, refs } = jsonSchemaOf(schema);
  const known = errors.filter(({ type }) => type !== "extra_forbidden");
  return [...known.map(findingOf), ...unknownKeys(value, json, refs, [], new Set(without))];
}

/** Keys that the server would ignore. */
export function unknownFields(schema: AnySchema, value: unknown): Finding[] {
  const { json, refs } = jsonSchemaOf(schema);
  return unknownKeys(value, json, refs, [], new Set());
}

const jsonSchemas = new WeakMap<AnySchema, { readonly json: JsonSchema; readonly refs: Refs }>();

/** Cached, because a project can have thousands of files of one kind. */
function jsonSchemaOf(schema: AnySchema) {
  return jsonSchemas.getOrInsertComputed(schema, () => {
    const refs: Refs = new Map();
    return { json: schema.jsonSchema(refs), refs };
  });
}

function findingOf({ type, loc, msg: text, input, ctx }: ValidationError): Finding {
  const msg = invalidValueText({ msg: text, input, ...(ctx && { ctx }) });
  const name = loc.length === 0 ? "" : `${pathText(loc)}: `;
  if (type === "missing") return { path: loc.slice(0, -1), message: `${pathText(loc)} is missing.` };
  const expected =
    typeof ctx?.expected === "string" && !msg.includes(ctx.expected) ? ` Expected: ${ctx.expected}.` : "";
  return {
    path: loc,
    message: `${name}${withEnd(msg.replace(/^Value error, /, ""))}${expected}`,
  };
}

const withEnd = (text: string) => (/[.?]$/.test(text) ? text : `${text}.`);

export const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, step) =>
      typeof step === "number" ? `${text}[${step}]` : text === "" ? String(step) : `${text}.${step}`,
    "",
  );

/**
 * Finds keys that the schema does not have. Users write these files by hand, so an unknown key is usually misspelled.
 */
function unknownKeys(
  value: unknown,
  schema: JsonSchema,
  refs: Refs,
  path: Path,
  without: ReadonlySet<string>,
  /** The keys of the surrounding map. */
  outer: readonly string[] = [],
): Finding[] {
  const { $ref, anyOf, properties, items, additionalProperties } = schema as {
    $ref?: string;
    anyOf?: JsonSchema[];
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    additionalProperties?: unknown;
  };
  const inner = (child: unknown, some: JsonSchema, step: string | number) =>
    unknownKeys(child, some, refs, [...path, step], new Set(), Object.keys(properties ?? {}));
  if ($ref !== undefined) {
    const found = refs.get($ref.split("/").at(-1) ?? "");
    return found ? unknownKeys(value, found, refs, path, without, outer) : [];
  }
  if (anyOf) {
    // Null is allowed, or there are several models: a key is unknown only if all of them reject it.
    const all = anyOf
      .filter((one) => one.type !== "null")
      .map((one) => unknownKeys(value, one, refs, path, without, outer));
    return all.reduce((best, one) => (one.length < best.length ? one : best), all[0] ?? []);
  }
  if (Array.isArray(value)) return items ? value.flatMap((item, at) => inner(item, items, at)) : [];
  if (!isObject(value)) return [];
  if (!properties) {
    if (!isObject(additionalProperties)) return [];
    return Object.entries(value).flatMap(([key, item]) => inner(item, additionalProperties, key));
  }
  const known = Object.keys(properties).filter((key) => !without.has(key));
  return Object.entries(value).flatMap(([key, item]): Finding[] => {
    const property = Object.hasOwn(properties, key) && !without.has(key) ? properties[key] : undefined;
    if (property) return inner(item, property, key);
    if (additionalProperties === true) return [];
    const place = path.length === 1 ? "one level up" : `in ${pathText(path.slice(0, -1))}`;
    const close = outer.includes(key)
      ? ` It belongs ${place}: write ${pathText([...path.slice(0, -1), key])}.`
      : suggestion(key, known) || ` Known here: ${known.join(", ")}.`;
    return [
      {
        path: [...path, key],
        message: `The key ${JSON.stringify(key.slice(0, 80))} is not known.${close}`,
        ofKey: true,
      },
    ];
  });
}
