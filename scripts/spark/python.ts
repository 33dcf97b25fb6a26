import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { outputOf, run, runWithRetries } from "./commands.ts";
import { once } from "./steps.ts";

/** Creates a virtual environment with pyspark and a PostgreSQL driver. Returns the path of its Python. */
export const preparePython = (folder: string): Promise<string> => prepare(folder, "requirements.txt");

/** Like `preparePython`, with a client of Spark Connect that runs declarative pipelines. */
export const prepareClient = (folder: string): Promise<string> => prepare(folder, "client-requirements.txt");

/**
 * A folder with the driver of MySQL, for `PYTHONPATH`, because one suite needs it. Generated code uses the same
 * version.
 */
export async function prepareMysqlDriver(folder: string, python: string): Promise<string> {
  const driver = "PyMySQL==1.2.4";
  await once(join(folder, "ready"), [driver], `Installing ${driver} into ${folder}.`, async () => {
    await rm(folder, { recursive: true, force: true });
    await runWithRetries(python, ["-m", "pip", "install", "--quiet", "--target", folder, driver]);
  });
  return folder;
}

async function prepare(folder: string, list: string): Promise<string> {
  const requirements = fileURLToPath(new URL(list, import.meta.url));
  const { program, version } = findPython();
  const python = join(folder, "bin", "python");
  const packages = await readFile(requirements, "utf8");
  const names = packages.trim().split("\n").join(", ");
  const message = `Python ${version}: creating ${folder} with ${names} (400 MB, one to two minutes).`;
  await once(join(folder, "ready"), [version, packages], message, async () => {
    await rm(folder, { recursive: true, force: true });
    await run(program, ["-m", "venv", folder]);
    await runWithRetries(python, ["-m", "pip", "install", "--quiet", "--requirement", requirements]);
  });
  return python;
}

function findPython(): { program: string; version: string } {
  for (const program of ["python3", "python", "python3.13", "python3.12", "python3.11", "python3.10"]) {
    const version = outputOf(program, ["--version"])?.match(/^Python (3\.(\d+)\.\d+)/);
    if (version?.[1] && Number(version[2]) >= 10) return { program, version: version[1] };
  }
  throw new Error("Spark needs Python 3.10 or newer with the venv module. Put python3 on the PATH.");
}
