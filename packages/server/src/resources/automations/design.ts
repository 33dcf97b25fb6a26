import { hash } from "node:crypto";
import { automationBundle, contentHash, type DesignFile } from "@lakehelm/codegen";
import { AutomationDefinition } from "@lakehelm/contract";
import { encodeJson, type ValidationError } from "@lakehelm/contract/schema";
import { stringify } from "yaml";
import type { DefinitionTree } from "./templates.ts";

export const definitionFile = "definition.yaml";
export const metadataFile = "metadata.json";

/** The value as a definition; undefined if it does not match the schema. */
function validDefinition(value: unknown): AutomationDefinition | undefined {
  const errors: ValidationError[] = [];
  const definition = AutomationDefinition.check(value, [], errors);
  return errors.length > 0 ? undefined : definition;
}

/**
 * A definition as YAML. A valid definition is printed with its defaults and in schema order, so that equal designs have
 * equal text; an invalid one is printed unchanged, so that its problems can be located.
 */
export const definitionText = (definition: DefinitionTree): string => {
  const value = validDefinition(definition) ?? definition;
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
};

export const metadataOf = (alias: string, metadata: DefinitionTree): DesignFile => ({
  path: metadataFile,
  content: `${encodeJson({ ...metadata, alias })}\n`,
});

/** The hash of a registered definition: equal to that of an attempt with the same design and no other files. */
export async function definitionHash(
  alias: string,
  definition: AutomationDefinition,
  turn: () => Promise<void>,
): Promise<string> {
  const content = definitionText(definition);
  await turn();
  const bundle = automationBundle(alias, definition);
  await turn();
  return contentHash([{ path: definitionFile, content }, metadataOf(alias, {}), ...bundle]);
}

/**
 * The folder name for an alias. A safe alias is used unchanged; any other gets a few characters of its hash, so that
 * two aliases never share a folder, even on a case-insensitive file system.
 */
export function folderOf(alias: string): string {
  if (/^[a-z0-9](?:[a-z0-9._-]{0,78}[a-z0-9_-])?$/.test(alias)) return alias;
  const plain = alias
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, 60);
  return `${plain || "automation"}-${hash("sha256", alias).slice(0, 12)}`;
}
