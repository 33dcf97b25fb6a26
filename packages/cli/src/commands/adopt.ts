import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isObject } from "@lakehelm/contract/schema";
import { isMap, isScalar, type Node, parseDocument, stringify } from "yaml";
import { Failure } from "../failure.ts";
import type { GlobalOptions } from "../globals.ts";
import { type Io, note, write } from "../io.ts";
import { oneLine } from "../output/escape.ts";
import { liveResources } from "../project/live.ts";
import { type OverrideFile, openOverrides } from "../project/override-file.ts";
import { entryOf, plain, type Tree } from "../project/read/tree.ts";
import type { ResolvedResource } from "../project/resolve/resolver.ts";
import { writtenValue } from "../project/written-value.ts";
import { chosenDrift } from "./drift.ts";
import { applyCommand, comparedWith, environmentName, type PlanOptions } from "./plan.ts";

/**
 * Writes changes that other callers made on the server into the files. A changed field becomes an override if it is one
 * already, or if the change is in an environment other than the default: the file of a resource applies to all
 * environments.
 */
export async function adopt(
  io: Io,
  names: readonly string[],
  options: PlanOptions,
  globals: GlobalOptions,
): Promise<void> {
  const made = await comparedWith(io, options, globals);
  const { project, session } = made;
  const { target } = project;
  const drifted = await chosenDrift(made, names);
  if (drifted.length === 0) return write(io.stdout, "Nothing differs from what the project has applied.\n");
  const live = new Map<string, Readonly<Record<string, unknown>>>();
  for await (const one of liveResources(session.client, environmentName(project, session), io.signal))
    live.set(`${one.kind} ${one.name}`, one.definition);
  const overrides = await openOverrides(project.folder, target.name);
  let left = 0;
  for (const { kind, name, is_gone, changes } of drifted) {
    const resource = project.resources.find((one) => one.kind.kind === kind && one.name === name);
    if (is_gone) {
      left += 1;
      note(
        io,
        oneLine(
          `${resource?.file}: ${kind} ${name} was deleted. Delete the file, or create it again: ${applyCommand(project)}`,
        ),
      );
    }
    const definition = live.get(`${kind} ${name}`);
    if (!resource || !definition) continue;
    const differing = [...new Set(changes.map(({ path }) => path.split(/[.[]/)[0] ?? ""))];
    const override = entryOf(entryOf(target.overrides, resource.kind.folder), name);
    const isOverride = (field: string) =>
      overrides.exists && (!target.isDefault || entryOf(override, field) !== undefined);
    const ofEnvironment = differing.filter(isOverride);
    const fields = differing.filter((field) => !isOverride(field));
    const { text, kept } = adopted(resource, definition, fields);
    await writeFile(join(project.folder, resource.file), text);
    const done = fields.filter((field) => !kept.includes(field));
    if (done.length > 0) await write(io.stdout, `${oneLine(`${resource.file}: ${done.join(", ")}`)}\n`);
    for (const field of ofEnvironment) {
      if (overridden(overrides, resource, field, definition[field]))
        await write(
          io.stdout,
          `${oneLine(`${overrides.file}: ${field} of ${name}, as an override of ${target.name}`)}\n`,
        );
      else kept.push(field);
    }
    for (const field of kept) {
      left += 1;
      const where = ofEnvironment.includes(field)
        ? `${overrides.file}: ${field} of ${name} for ${target.name}`
        : `${resource.file}: ${field}`;
      note(io, oneLine(`${where} has references, a file of its own, or lost a value. Change it by hand.`));
    }
  }
  await overrides.save();
  if (left > 0) throw new Failure(`${left} ${left === 1 ? "change was" : "changes were"} not adopted.`);
}

/**
 * Writes the live value of a field as an override, if that is possible. In a map only the parts that differ are
 * written, because the rest is merged.
 */
function overridden(
  overrides: OverrideFile,
  { kind, name, definition, tree }: ResolvedResource,
  field: string,
  value: unknown,
): boolean {
  const found = differences(definition[field], value, [field]);
  if (!found) return false;
  const isPlain = found.every(({ path }) => !hasReferences(treeAt(tree, path)));
  return isPlain && found.every(({ path, value: own }) => overrides.set([kind.folder, name, ...path], own));
}

const treeAt = (tree: Tree, path: readonly string[]): Tree | undefined =>
  path.reduce<Tree | undefined>((at, key) => entryOf(at, key), tree);

const hasReferences = (tree: Tree | undefined): boolean =>
  tree !== undefined &&
  JSON.stringify(plain(tree), (_, one) => (typeof one === "bigint" ? 0 : one)).includes("${");

/** The parts of a value that differ. Undefined: the live value lacks a part, which an override cannot express. */
function differences(
  before: unknown,
  after: unknown,
  path: readonly string[],
): { path: readonly string[]; value: unknown }[] | undefined {
  if (after === undefined) return before === undefined ? [] : undefined;
  if (isDeepStrictEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ path, value: after }];
  const found: { path: readonly string[]; value: unknown }[] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const inner = differences(before[key], after[key], [...path, key]);
    if (!inner) return undefined;
    found.push(...inner);
  }
  return found;
}

/** The text of the file with the live values of these fields. Everything else stays, comments included. */
function adopted(
  { tree, kind }: ResolvedResource,
  definition: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): { text: string; kept: string[] } {
  const { text } = tree.source;
  const { contents } = parseDocument(text);
  const pairs = isMap(contents) ? contents.items : [];
  const kept: string[] = [];
  const edits: { from: number; to: number; by: string }[] = [];
  for (const field of fields.filter((one) => one !== kind.nameField)) {
    const written = entryOf(tree, field);
    const pair = pairs.find(({ key }) => isScalar(key) && key.value === field);
    const value = definition[field];
    const [from = 0, keyEnd = 0] = (pair?.key as Node | undefined)?.range ?? [];
    const end = (pair?.value as Node | null | undefined)?.range?.[1] ?? keyEnd;
    const to = from + text.slice(from, end).trimEnd().length;
    if (!pair && written) kept.push(field);
    // The value contains references, which would be lost.
    else if (pair && text.slice(from, to).includes("${")) kept.push(field);
    else if (pair) edits.push({ from, to, by: value === undefined ? "" : entryText(field, value) });
    else if (value !== undefined)
      edits.push({
        from: text.length,
        to: text.length,
        by: `${text.endsWith("\n") ? "" : "\n"}${entryText(field, value)}\n`,
      });
  }
  const changed = edits
    .sort((a, b) => b.from - a.from)
    .reduce(
      (so, { from, to, by }) => so.slice(0, from) + by + so.slice(by === "" && so[to] === "\n" ? to + 1 : to),
      text,
    );
  return { text: changed, kept };
}

const entryText = (field: string, value: unknown) =>
  stringify({ [field]: writtenValue(value) }, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();
