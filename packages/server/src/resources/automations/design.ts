import { hash } from "node:crypto";
import { automationBundle, contentHash, type DesignFile } from "@lakehelm/codegen";
import { AutomationDefinition } from "@lakehelm/contract";
import { encodeJson, type ValidationError } from "@lakehelm/contract/schema";
import { stringify } from "yaml";

export const definitionFile = "definition.yaml";
export const metadataFile = "metadata.json";

type Tree = Readonly<Record<string, unknown>>;

/** The definition that a value is, or undefined where it does not fit the schema. */
function soundDefinition(value: unknown): AutomationDefinition | undefined {
  const errors: ValidationError[] = [];
  const definition = AutomationDefinition.check(value, [], errors);
  return errors.length > 0 ? undefined : definition;
}

/**
 * A definition as text. A sound one is written with its defaults and in the order of the schema, so that one design has
 * one text; an unsound one as it is, for its problems to be found there.
 */
export const definitionText = (definition: Tree): string => {
  const value = soundDefinition(definition) ?? definition;
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
};

export const metadataOf = (alias: string, metadata: Tree): DesignFile => ({
  path: metadataFile,
  content: `${encodeJson({ ...metadata, alias })}\n`,
});

/** The hash of a registered definition: that of an attempt with the same design and nothing beside it. */
export const definitionHash = (alias: string, definition: AutomationDefinition) =>
  contentHash([
    { path: definitionFile, content: definitionText(definition) },
    metadataOf(alias, {}),
    ...automationBundle(alias, definition),
  ]);

/**
 * A folder's name for any alias. One that is safe stands as it is; any other gets a few letters of its
 * hash, so that two aliases never share a folder, also where a file system ignores case.
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
