import type { JsonSchema, Refs } from "@lakehelm/contract/schema";

/** In a request a key with a default may be absent; in a response it is always present. */
type Direction = "request" | "response";

export interface SchemaTypes {
  /** The TypeScript type of a value. It also collects the named types that the type refers to. */
  typeOf(schema: JsonSchema, direction: Direction): string;
  /** The TypeScript declarations of an object type's keys. */
  keysOf(properties: Readonly<Record<string, Key>>, direction: Direction): string;
  /** The declarations of all named types that were collected so far, by name. */
  declarations(): string;
}

interface Key {
  readonly schema: JsonSchema;
  readonly optional: boolean;
}

/** Prints JSON Schemas of the contract as TypeScript. `requests`: the schemas of all request bodies. */
export function createSchemaTypes(refs: Refs, requests: readonly JsonSchema[]): SchemaTypes {
  const sent = namesIn(requests, refs);
  const needed = new Map<string, { readonly name: string; readonly direction: Direction }>();

  /** Whether requests and responses with this schema have different types. */
  function differs(schema: unknown, within: ReadonlySet<string> = new Set()): boolean {
    if (typeof schema !== "object" || schema === null) return false;
    return Object.entries(schema).some(([key, value]) => {
      if (key === "default") return true;
      if (key === "examples") return false;
      if (key !== "$ref") return differs(value, within);
      const name = nameOf(String(value));
      return !within.has(name) && differs(refs.get(name), new Set([...within, name]));
    });
  }

  function referenceTo(ref: string, direction: Direction): string {
    const name = nameOf(ref);
    const isOutput = direction === "response" && sent.has(name) && differs({ $ref: ref });
    const declared = isOutput ? `${name}Output` : name;
    if (isOutput && refs.has(declared)) throw new Error(`Two types would have the name ${declared}.`);
    if (!needed.has(declared)) {
      needed.set(declared, { name, direction });
      typeOf(refs.get(name) ?? {}, direction);
    }
    return declared;
  }

  function typeOf(schema: JsonSchema, direction: Direction): string {
    const { $ref, type, items, properties, additionalProperties } = schema;
    const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
    if (typeof $ref === "string") return referenceTo($ref, direction);
    if (options) return [...new Set(options.map((option) => typeOf(option, direction)))].join(" | ");
    if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
    switch (type) {
      case "string":
      case "boolean":
      case "null":
        return type;
      case "integer":
      case "number":
        return "number";
      case "array":
        return `Array<${typeOf(items as JsonSchema, direction)}>`;
      case "object":
        return properties ? objectOf(schema, direction) : mapOf(additionalProperties, direction);
      case undefined:
        return "unknown";
      default:
        if (Array.isArray(type)) return type.map((one) => typeOf({ type: one }, direction)).join(" | ");
        throw new Error(`No TypeScript type is known for ${JSON.stringify(schema)}.`);
    }
  }

  const mapOf = (values: unknown, direction: Direction) =>
    `Record<string, ${typeof values === "object" ? typeOf(values as JsonSchema, direction) : "unknown"}>`;

  function objectOf(schema: JsonSchema, direction: Direction): string {
    const { properties, required = [], additionalProperties } = schema as unknown as ObjectSchema;
    const keys = Object.entries(properties).map(([name, property]) => {
      const isPresent = required.includes(name) || (direction === "response" && "default" in property);
      return [name, { schema: property, optional: !isPresent }] as const;
    });
    const others = additionalProperties === true ? "  [key: string]: unknown;\n" : "";
    return `{\n${keysOf(Object.fromEntries(keys), direction)}${others}}`;
  }

  const keysOf = (keys: Readonly<Record<string, Key>>, direction: Direction): string =>
    Object.entries(keys)
      .map(([name, { schema, optional }]) => {
        const type = typeOf(schema, direction);
        return `${commentOf(schema, direction)}  ${name}${optional ? "?" : ""}: ${type};\n`;
      })
      .join("");

  function declarations(): string {
    const sorted = [...needed].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted
      .map(([declared, { name, direction }]) => {
        const schema = refs.get(name) ?? {};
        return `${commentOf(schema, "response")}export type ${declared} = ${typeOf(schema, direction)};\n`;
      })
      .join("\n");
  }

  return { typeOf, keysOf, declarations };
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

/** The names of all schemas that a value refers to, directly or not. */
function namesIn(value: unknown, refs: Refs, found = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return found;
  for (const [key, inner] of Object.entries(value)) {
    if (key !== "$ref") namesIn(inner, refs, found);
    else if (!found.has(nameOf(inner))) namesIn(refs.get(nameOf(inner)), refs, found.add(nameOf(inner)));
  }
  return found;
}

const nameOf = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1);

function commentOf(schema: JsonSchema, direction: Direction): string {
  const sentences = [schema.description, direction === "request" ? defaultOf(schema) : undefined];
  return comment(sentences.filter((sentence) => sentence !== undefined).join(" "));
}

function defaultOf({ default: value, description }: JsonSchema): string | undefined {
  const isSaid = typeof description === "string" && /default/i.test(description);
  return value === undefined || isSaid ? undefined : `Default: \`${JSON.stringify(value)}\`.`;
}

export const comment = (text: string): string =>
  text === "" ? "" : `/** ${text.replaceAll("*/", "*\\/")} */\n`;
