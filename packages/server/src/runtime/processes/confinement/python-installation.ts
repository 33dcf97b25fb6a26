import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** A Python of the operator: a confined program sees its folders, and runs its executable. */
export interface PythonInstallation {
  readonly executable: string;
  readonly folders: readonly string[];
}

const question = "import sys; print(sys.executable, sys.prefix, sys.base_prefix, sep='\\n')";

/**
 * Python itself knows where it is: `python3` may be a link, a virtual environment, or a script of a version manager that finds it
 * elsewhere. Undefined if the program does not run.
 */
export async function pythonInstallation(program: string): Promise<PythonInstallation | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, ["-I", "-c", question], { timeout: 20_000 });
    const [executable = "", ...folders] = stdout.trim().split("\n");
    return executable.startsWith("/") ? { executable, folders: folders.filter(isFolder) } : undefined;
  } catch {
    return undefined;
  }
}

/** Excludes the root folder, which contains everything. */
const isFolder = (path: string) => /^\/[^/]/.test(path);
