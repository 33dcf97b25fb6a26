import { hash } from "node:crypto";
import { contentHash, type DesignFile } from "@lakehelm/codegen/content-hash";
import { AutomationDefinition } from "@lakehelm/contract";
import { type Entry, encodeJson, list, map, model, string } from "@lakehelm/contract/schema";
import { stringify } from "yaml";

export const definitionFile = "definition.yaml";
export const metadataFile = "metadata.json";
export const bundleFile = "databricks.yml";

type Tree = Readonly<Record<string, unknown>>;

/**
 * The files that a definition becomes. A sound one is written with its defaults and in the order of the
 * schema, so that one design has one text; an unsound one as it is, for its problems to be found there.
 */
export function designFiles(alias: string, definition: Tree, metadata: Tree): DesignFile[] {
  const entries: Entry[] = [];
  const sound = AutomationDefinition.check(definition, [], entries);
  const meta = { path: metadataFile, content: `${encodeJson({ ...metadata, alias })}\n` };
  if (entries.length > 0) return [{ path: definitionFile, content: yaml(definition) }, meta];
  return [
    { path: definitionFile, content: yaml(sound) },
    meta,
    { path: bundleFile, content: yaml(bundleOf(alias, sound)) },
  ];
}

/** The hash of a registered definition: that of an attempt with the same design and nothing beside it. */
export const definitionHash = (alias: string, definition: AutomationDefinition) =>
  contentHash(designFiles(alias, definition, {}));

const yaml = (value: unknown) => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

/** A job bundle with what is known now: its name, its tasks and their order, its schedule. */
function bundleOf(alias: string, { tasks, schedule }: AutomationDefinition) {
  const folder = folderOf(alias);
  const job = {
    name: alias,
    tasks: tasks.map(({ name, depends_on }) => ({
      task_key: name,
      depends_on: depends_on.map((other) => ({ task_key: other })),
    })),
    ...(schedule && { schedule: `${schedule.cron} ${schedule.timezone ?? "UTC"}` }),
  };
  return { bundle: { name: folder }, resources: { jobs: { [folder]: job } } };
}

const TaskKey = { task_key: string({ min: 1 }) };
/** What a bundle must look like when it is read back. */
export const Bundle = model("Bundle", {
  bundle: model("BundleName", { name: string({ min: 1 }) }),
  resources: model("BundleResources", {
    jobs: map(
      model("BundleJob", {
        name: string({ min: 1 }),
        tasks: list(
          model("BundleTask", { ...TaskKey, depends_on: list(model("BundleDependency", TaskKey)) }),
        ),
        schedule: string().optional(),
      }),
    ),
  }),
});

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
