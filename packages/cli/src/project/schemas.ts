import { type AnySchema, isObject, type JsonSchema, type Refs } from "@lakehelm/contract/schema";
import { type Kind, kinds, policyFolder } from "./kinds.ts";
import { MainFile, PolicyFile } from "./main-file.ts";

/** The files of a project for which editors can use a schema. */
export const schemaNames = ["lakehelm", ...kinds.map(({ kind }) => kind), "policy"] as const;
export type SchemaName = (typeof schemaNames)[number];

/** The JSON Schema (2020-12) of a file, with descriptions. It comes from the contract. */
export function projectSchema(name: SchemaName): JsonSchema {
  const kind = kinds.find((one) => one.kind === name);
  if (kind) return schemaOf(name, kind.body, descriptionOf(kind), kind);
  return name === "policy"
    ? schemaOf(name, PolicyFile, `A rule about changes, in ${policyFolder}/.`)
    : schemaOf(name, MainFile, "lakehelm.yaml: the name of a project, its variables and its environments.");
}

const descriptionOf = ({ kind, folder, nameField }: Kind) =>
  `A Lakehelm ${kind}, in ${folder}/. Without "${nameField}" it has the name of its file.`;

function schemaOf(name: string, schema: AnySchema, description: string, kind?: Kind): JsonSchema {
  const refs: Refs = new Map();
  const root = resolved(schema.jsonSchema(refs), refs);
  const optional = [kind?.nameField, kind?.ownerField];
  const {
    properties = {},
    required = [],
    ...rest
  } = root as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const kept = Object.entries(properties).filter(([key]) => !kind?.without.includes(key));
  const needed = required.filter((key) => !optional.includes(key));
  const own = {
    ...rest,
    type: "object",
    properties: {
      $schema: { type: "string", description: "The schema of this file, for editors." },
      ...Object.fromEntries(kept),
    },
    ...(needed.length > 0 && { required: needed }),
  };
  const used = usedRefs(own, refs);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:lakehelm:project:${name}`,
    title: name === "lakehelm" ? "Lakehelm project" : `Lakehelm ${name}`,
    ...(forFiles(own) as JsonSchema),
    description,
    ...(used.length > 0 && {
      $defs: Object.fromEntries(used.map((one) => [one, forFiles(refs.get(one))])),
    }),
  };
}

const nameIn = ($ref: unknown) => String($ref).split("/").at(-1) ?? "";
const resolved = (schema: JsonSchema, refs: Refs): JsonSchema =>
  schema.$ref === undefined ? schema : (refs.get(nameIn(schema.$ref)) ?? schema);

/** The names of the schemas that a schema uses, directly or indirectly. */
function usedRefs(schema: unknown, refs: Refs): string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isObject(value)) return;
    const name = typeof value.$ref === "string" ? nameIn(value.$ref) : undefined;
    if (name !== undefined && !found.has(name)) {
      found.add(name);
      visit(refs.get(name));
    }
    for (const item of Object.values(value)) visit(item);
  };
  visit(schema);
  return [...found].sort();
}

const reference = { type: "string", pattern: "^\\$\\{[^{}]*\\}$" };

/**
 * Adapts a schema to files: unknown keys are errors, and a reference may replace a number, a list or an enumerated
 * value.
 */
function forFiles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forFiles);
  if (!isObject(value)) return value;
  if (typeof value.$ref === "string") return { ...value, $ref: `#/$defs/${nameIn(value.$ref)}` };
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    key === "properties" && isObject(item)
      ? Object.fromEntries(Object.entries(item).map(([name, one]) => [name, forFiles(one)]))
      : ["items", "additionalProperties", "anyOf"].includes(key)
        ? forFiles(item)
        : item,
  ]);
  const schema = Object.fromEntries(entries) as JsonSchema;
  if (isObject(value.properties) && value.additionalProperties === undefined)
    schema.additionalProperties = false;
  const isReferable =
    ["integer", "number", "boolean", "array"].includes(String(value.type)) || Array.isArray(value.enum);
  if (!isReferable) return schema;
  const { description, default: fallback, ...type } = schema;
  return {
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
    anyOf: [type, reference],
  };
}
