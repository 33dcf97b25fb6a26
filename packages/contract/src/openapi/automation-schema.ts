import { AutomationDefinition } from "../endpoints/automation-definition.ts";
import type { JsonSchema, Refs } from "../schema/index.ts";

/** The field that each kind of task requires. */
const requiredFields = {
  sql: "query",
  http: "url",
  flow: "reference",
  connector: "reference",
  pipeline: "reference",
  agent: "reference",
};

/** The JSON Schema (2020-12) of an automation's definition, for editors and other programs. */
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
    description: "A Lakehelm automation: its tasks, their order, and when they run.",
    $defs: {
      ...others,
      AutomationTask: { ...others.AutomationTask, allOf: Object.entries(requiredFields).map(requirement) },
    },
  };
}

const requirement = ([kind, field]: [string, string]): JsonSchema => ({
  if: { properties: { kind: { const: kind } } },
  // biome-ignore lint/suspicious/noThenProperty: `then` is a JSON Schema keyword.
  then: { required: [field], properties: { [field]: { type: "string", minLength: 1 } } },
});

const titled = (name: string, schema: JsonSchema): JsonSchema => ({
  title: titleOf(name),
  ...(withLocalRefs(schema) as JsonSchema),
});

/** `AutomationTask` becomes "Automation task". */
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
