import { automationSchema } from "@lakehelm/contract/automation-schema";
import type { JsonSchema } from "@lakehelm/contract/schema";
import { suggestion } from "@lakehelm/contract/text";
import { pathText } from "../../core/secrets/references.ts";
import { finding, type ValidationFinding } from "./validation-finding.ts";

/** Reports keys that are not in the schema, each with the key that was probably meant. */
export function unknownKeys(value: unknown): ValidationFinding[] {
  const schema = automationSchema();
  return below(value, schema, [], schema.$defs as Readonly<Record<string, JsonSchema>>);
}

function below(
  value: unknown,
  schema: JsonSchema,
  path: ValidationFinding["path"],
  models: Readonly<Record<string, JsonSchema>>,
): ValidationFinding[] {
  const expected = resolved(schema, models);
  if (Array.isArray(value)) {
    const items = expected.items as JsonSchema | undefined;
    return items ? value.flatMap((item, at) => below(item, items, [...path, at], models)) : [];
  }
  const properties = expected.properties as Readonly<Record<string, JsonSchema>> | undefined;
  if (!properties || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const inner = [...path, key];
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (known) return below(item, known, inner, models);
    const hint = suggestion(key, Object.keys(properties));
    return [{ ...finding(`${pathText(inner)}: The key is not known.${hint}`, ...inner), ofKey: true }];
  });
}

function resolved(schema: JsonSchema, models: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const [first] = (schema.anyOf as JsonSchema[] | undefined) ?? [schema];
  const name = String(first?.$ref ?? "").replace("#/$defs/", "");
  return models[name] ?? first ?? schema;
}
