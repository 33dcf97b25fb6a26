import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isMap, isScalar, type Node, parseDocument, stringify } from "yaml";
import { Failure } from "../failure.ts";
import type { GlobalOptions } from "../globals.ts";
import { type Io, note, write } from "../io.ts";
import { oneLine } from "../output/escape.ts";
import { liveResources } from "../project/live.ts";
import { entryOf } from "../project/read/tree.ts";
import type { ResolvedResource } from "../project/resolve/resolver.ts";
import { chosenDrift } from "./drift.ts";
import { environmentName, makePlan, type PlanOptions } from "./plan.ts";

/** Writes into the files what somebody else has changed on the server. */
export async function adopt(
  io: Io,
  names: readonly string[],
  options: PlanOptions,
  globals: GlobalOptions,
): Promise<void> {
  const made = await makePlan(io, options, globals);
  const { project, session } = made;
  const drifted = await chosenDrift(made, names);
  if (drifted.length === 0) return write(io.stdout, "Nothing differs from what the project has applied.\n");
  const live = new Map<string, Readonly<Record<string, unknown>>>();
  for await (const one of liveResources(session.client, environmentName(project, session), io.signal))
    live.set(`${one.kind} ${one.name}`, one.definition);
  let left = 0;
  for (const { kind, name, is_gone, changes } of drifted) {
    const resource = project.resources.find((one) => one.kind.kind === kind && one.name === name);
    if (is_gone) {
      left += 1;
      note(
        io,
        oneLine(
          `${resource?.file}: ${kind} ${name} was deleted. Delete the file, or create it again: lakehelm apply`,
        ),
      );
    }
    const definition = live.get(`${kind} ${name}`);
    if (!resource || !definition) continue;
    const differing = [...new Set(changes.map(({ path }) => path.split(/[.[]/)[0] ?? ""))];
    const override = entryOf(entryOf(project.target.overrides, resource.kind.folder), name);
    const overridden = differing.filter((field) => entryOf(override, field) !== undefined);
    const fields = differing.filter((field) => !overridden.includes(field));
    const { text, kept } = adopted(resource, definition, fields);
    await writeFile(join(project.folder, resource.file), text);
    const done = fields.filter((field) => !kept.includes(field));
    if (done.length > 0) await write(io.stdout, `${oneLine(`${resource.file}: ${done.join(", ")}`)}\n`);
    for (const field of kept) {
      left += 1;
      note(io, oneLine(`${resource.file}: ${field} has references or a file of its own. Change it by hand.`));
    }
    // The file would say one thing, and the override another.
    for (const field of overridden) {
      left += 1;
      const where = `${project.target.overrides?.source.file}: ${field} of ${name} is an override of ${project.target.name}.`;
      note(io, oneLine(`${where} Change it by hand.`));
    }
  }
  if (left > 0) throw new Failure(`${left} ${left === 1 ? "change was" : "changes were"} not adopted.`);
}

/** The file with the live values of these fields. Comments and everything else stay as they are written. */
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
    // What refers to something else would be lost.
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
  stringify({ [field]: value }, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();
