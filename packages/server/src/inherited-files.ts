import { closeSync, readdirSync, readFileSync } from "node:fs";

const O_CLOEXEC = 0o2000000;

/**
 * Closes the files that the program which started this one has left open: programs of callers would inherit them. Node marks its own,
 * and those up to 15, so that programs do not inherit them.
 */
export function closeInheritedFiles(): void {
  if (process.platform !== "linux") return;
  for (const name of readdirSync("/proc/self/fd")) {
    if (Number(name) > 2 && isInheritable(name)) closeSync(Number(name));
  }
}

/** Not the folder that was read: it is closed by now. */
function isInheritable(name: string): boolean {
  try {
    const [, flags = ""] =
      /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, "utf8")) ?? [];
    return (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    return false;
  }
}
