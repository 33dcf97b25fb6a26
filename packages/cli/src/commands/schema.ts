import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Io, note, write } from "../io.ts";
import { projectSchema, schemaNames } from "../project/schemas.ts";
import { UsageError } from "../usage-error.ts";

/** Prints the schema of a file, or writes all of them to a folder. */
export async function schema(
  io: Io,
  name: string | undefined,
  { to }: { readonly to?: string },
): Promise<void> {
  if (to !== undefined) {
    await writeSchemas(to);
    return note(io, `${schemaNames.length} schemas are in ${to}.`);
  }
  const known = schemaNames.find((one) => one === name);
  if (!known)
    throw new UsageError(`Name one of ${schemaNames.join(", ")}, or write all of them: --to <folder>`);
  await write(io.stdout, schemaText(projectSchema(known)));
}

export async function writeSchemas(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const one of schemaNames) await writeFile(join(folder, `${one}.json`), schemaText(projectSchema(one)));
}

const schemaText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
