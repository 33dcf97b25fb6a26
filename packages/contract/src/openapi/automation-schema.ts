import { AutomationDefinition } from "../endpoints/automation-definition.ts";
import type { JsonSchema, Refs } from "../schema/index.ts";

/** What tasks of a kind need, as far as a schema can say it. */
const needs = {
  sql: "query",
  http: "url",
  flow: "reference",
  connector: "reference",
  pipeline: "reference",
  agent: "reference",
};

/** What an automation's definition looks like, as JSON Schema 2020-12, for editors and other programs. */
export function automationSchema(): JsonSchema {
  const refs: Refs = new Map();
  AutomationDefinition.jsonSchema(refs);
  const { AutomationDefinition: definition, ...others } = Object.fromEntries(
    [...refs].map(([name, schema]) => [name, titled(name, schema)]),
  );
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "urn:lakehelm:automation:v1",
    ...definition,
    description: "An automation of Lakehelm: tasks, their order, and when they run.",
    $defs: {
      ...others,
      AutomationTask: { ...others.AutomationTask, allOf: Object.entries(needs).map(needed) },
    },
  };
}

const needed = ([kind, field]: [string, string]): JsonSchema => ({
  if: { properties: { kind: { const: kind } } },
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
  then: { required: [field], properties: { [field]: { type: "string", minLength: 1 } } },
});

const titled = (name: string, schema: JsonSchema): JsonSchema => ({
  title: titleOf(name),
  ...(withLocalRefs(schema) as JsonSchema),
});

/** `AutomationTask` is "Automation task". */
const titleOf = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** References into an OpenAPI document become references into this one. */
function withLocalRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLocalRefs);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === "$ref" ? String(item).replace("#/components/schemas/", "#/$defs/") : withLocalRefs(item),
    ]),
  );
}
