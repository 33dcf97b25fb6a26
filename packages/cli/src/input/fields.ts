import type { AnySchema, JsonSchema } from "@lakehelm/contract/schema";

/** A parameter, or a field of a body. A flag can set it, unless it is an object or a list of objects. */
export interface Field {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "strings" | "nested";
  readonly choices?: readonly string[];
  readonly description: string;
  readonly required: boolean;
  readonly fallback?: unknown;
}

/** The fields of an object schema. For a choice: the fields of all its objects. */
export function fieldsOf(schema: AnySchema): Field[] {
  const refs = new Map<string, JsonSchema>();
  const resolve = (some: JsonSchema): JsonSchema =>
    typeof some.$ref === "string" ? { ...refs.get(some.$ref.split("/").at(-1) ?? ""), ...some } : some;
  const found = new Map<string, Field>();
  const add = (some: JsonSchema) => {
    const { anyOf, properties = {}, required = [] } = resolve(some) as ObjectSchema;
    for (const one of anyOf ?? []) add(one);
    for (const [name, property] of Object.entries(properties)) {
      const isRequired = required.includes(name) && anyOf === undefined;
      if (!found.has(name)) found.set(name, fieldOf(name, property, resolve, isRequired));
    }
  };
  add(schema.jsonSchema(refs));
  return [...found.values()];
}

interface ObjectSchema {
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

export function fieldOf(
  name: string,
  property: JsonSchema,
  resolve: (schema: JsonSchema) => JsonSchema,
  required: boolean,
): Field {
  const type = typeOf(property, resolve) ?? "nested";
  const description = (property.description as string | undefined) ?? "";
  const choices = choicesOf(property);
  return {
    name,
    type,
    description,
    required,
    ...(choices && { choices }),
    ...(property.default !== undefined && { fallback: property.default }),
  };
}

function typeOf(some: JsonSchema, resolve: (schema: JsonSchema) => JsonSchema): Field["type"] | undefined {
  const { type, anyOf, items } = resolve(some) as {
    type?: unknown;
    anyOf?: JsonSchema[];
    items?: JsonSchema;
  };
  if (anyOf) {
    const [only, other] = anyOf.filter((one) => one.type !== "null");
    return only && !other ? typeOf(only, resolve) : undefined;
  }
  if (type === "string" || type === "integer" || type === "number" || type === "boolean") return type;
  if (Array.isArray(type)) return "string";
  return type === "array" && items && typeOf(items, resolve) === "string" ? "strings" : undefined;
}

function choicesOf({ anyOf, enum: values }: { anyOf?: JsonSchema[]; enum?: string[] } & JsonSchema) {
  return values ?? (anyOf?.find((one) => one.type !== "null")?.enum as string[] | undefined);
}

/** `git_branch` and `gitBranch` are `--git-branch`. */
export const flagOf = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();
