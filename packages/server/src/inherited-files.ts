import { closeSync, readdirSync, readFileSync } from "node:fs";

const O_CLOEXEC = 0o2000000;

/**
 * Closes the files that the parent process has left open, because programs of callers would inherit them. Node makes
 * the files that it opens, and those with numbers up to 15, not inheritable.
 */
export function closeInheritedFiles(): void {
  if (process.platform !== "linux") return;
  for (const name of readdirSync("/proc/self/fd")) {
    if (Number(name) > 2 && isInheritable(name)) closeSync(Number(name));
  }
}

/** False for a file that is closed by now, as the listed folder is. */
function isInheritable(name: string): boolean {
  try {
    const [, flags = ""] =
      /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, "utf8")) ?? [];
    return (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    return false;
  }
}
