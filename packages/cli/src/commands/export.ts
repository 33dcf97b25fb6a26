import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { counted } from "@lakehelm/contract/text";
import { stringify } from "yaml";
import { openSession, type Session } from "../connection/session.ts";
import { Failure } from "../failure.ts";
import type { GlobalOptions } from "../globals.ts";
import { type Io, note, write } from "../io.ts";
import { libraryPaths } from "../project/code-files.ts";
import { kindOf } from "../project/kinds.ts";
import { type LiveResource, liveResources } from "../project/live.ts";
import { writtenValue } from "../project/written-value.ts";
import { UsageError } from "../usage-error.ts";
import { writeSchemas } from "./schema.ts";

interface ExportOptions {
  readonly dir?: string;
  /** The earlier name of `dir`. */
  readonly to?: string;
  readonly name?: string;
}

/** SQL fields that are written to separate files, by kind. */
const sqlFields = { flow: ["matched_sql", "unmatched_sql", "recheck_sql"] } as const;

/** Writes a project from the resources of a server. Applying the project to that server changes nothing. */
export async function exportProject(
  io: Io,
  { dir, to = ".", name }: ExportOptions,
  globals: GlobalOptions,
): Promise<void> {
  const chosen = dir ?? to;
  const folder = resolve(io.env.LAKEHELM_CWD ?? process.cwd(), chosen);
  await mkdir(folder, { recursive: true });
  const there = (await readdir(folder)).filter((one) => !one.startsWith("."));
  if (there.length > 0) throw new UsageError(`${chosen} is not empty. Choose another folder with --dir.`);
  const session = await openSession(io, globals);
  const environment = session.connection.environment ?? "local";
  const project = name ?? environment;
  const files = new Map<string, string | Uint8Array>();
  const names = new Set<string>();
  let count = 0;
  for await (const one of liveResources(session.client, environment, io.signal)) {
    const { folder: kindFolder } = kindOf(one.kind);
    const stem = fileStem(one.name, names, kindFolder);
    count += 1;
    await addResource(session, environment, one, `${kindFolder}/${stem}`, files);
  }
  files.set("lakehelm.yaml", mainFile(project, environment));
  files.set(".gitignore", ".lakehelm/data/\n");
  for (const [path, content] of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content, { flag: "wx" });
  }
  await writeSchemas(join(folder, ".lakehelm/schemas"));
  await write(
    io.stdout,
    `${counted(count, "resource")} of ${environment} ${count === 1 ? "is" : "are"} in ${chosen}. To compare them with the server: lakehelm plan${chosen === "." ? "" : ` --dir ${chosen}`}\n`,
  );
  note(
    io,
    "Not exported: policies, which are files of a project and not on the server, and the values of secrets, which a server never shows.",
  );
}

const schemaLine = (name: string, up: string) =>
  `# yaml-language-server: $schema=${up}.lakehelm/schemas/${name}.json\n`;

const mainFile = (name: string, environment: string) =>
  schemaLine("lakehelm", "") +
  stringify({
    name: name.replaceAll(/[^A-Za-z0-9._-]/g, "-"),
    environments: { [environment]: { default: true } },
  });

/**
 * A file name for a resource. Resources get different file names even if their names differ only in replaced
 * characters.
 */
function fileStem(name: string, used: Set<string>, folder: string): string {
  const plain =
    name
      .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
      .replace(/^[.-]+/, "")
      .slice(0, 100) || "resource";
  let stem = plain;
  for (let n = 2; used.has(`${folder}/${stem.toLowerCase()}`); n += 1) stem = `${plain}-${n}`;
  used.add(`${folder}/${stem.toLowerCase()}`);
  return stem;
}

async function addResource(
  session: Session,
  environment: string,
  { kind, name, definition }: LiveResource,
  path: string,
  files: Map<string, string | Uint8Array>,
): Promise<void> {
  const { nameField } = kindOf(kind);
  const { [nameField]: _, ...rest } = definition;
  const isNamed = path.split("/").at(-1) === name;
  const value: Record<string, unknown> = writtenValue(
    isNamed ? rest : { [nameField]: name, ...rest },
  ) as Record<string, unknown>;
  for (const field of kind === "flow" ? sqlFields.flow : []) {
    const sql = value[field];
    if (typeof sql !== "string") continue;
    const file = `${path}${field === "matched_sql" ? "" : `.${field.replace("_sql", "")}`}.sql`;
    files.set(file, sql);
    value[field] = `\${file:${file.split("/").at(-1)}}`;
  }
  files.set(
    `${path}.yaml`,
    schemaLine(kind, "../") + stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }),
  );
  for (const file of await codePaths(session, environment, kind, definition)) {
    if (files.has(file)) continue;
    const { client, io } = session;
    files.set(file, await client.getFile({ params: { path: file }, environment, signal: io.signal }));
  }
}

/** The paths of the workspace files that a resource uses. */
async function codePaths(
  { client, io: { signal } }: Session,
  environment: string,
  kind: LiveResource["kind"],
  definition: LiveResource["definition"],
): Promise<string[]> {
  const wanted = kind === "pipeline" ? libraryPaths(definition) : [];
  const folder =
    typeof definition.source_path === "string" ? definition.source_path.replaceAll(/^\/+|\/+$/g, "") : "";
  const prefixes = [...wanted, ...(folder === "" ? [] : [`${folder}/`])];
  const found: string[] = [];
  for (const prefix of prefixes) {
    for await (const { path } of client.all.listFiles({ query: { prefix }, environment, signal })) {
      if (wanted.length > 0 && path !== prefix) continue;
      if (path.split("/").includes("..") || path.startsWith("/"))
        throw new Failure(`The workspace has a file ${path}.`);
      // A project never has such files, and settings of git must not come from a workspace.
      if (path.split("/").some((part) => part.startsWith("."))) continue;
      found.push(path);
    }
  }
  return found;
}
