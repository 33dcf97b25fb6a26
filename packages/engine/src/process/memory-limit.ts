import { existsSync } from "node:fs";

/**
 * Address space that a process with these options takes without using it: V8 reserves 512 MB for code and up to 64 MB
 * for the code of each of its threads, and every thread has a stack of 8 MB. With a thread that reads rows it was 915
 * MB. With 640 here and 1 GB for the process, the next thread, which translates a query, ended the process when it used
 * 820 MB.
 */
const reservedMb = 960;
const perThreadMb = 8;

const shell = "/bin/sh";

/** How to start a program so that the system refuses it more memory than `megabytes`. Only Linux can do this. */
export function memoryLimitedCommand(
  program: string,
  args: readonly string[],
  { megabytes, threads }: { readonly megabytes: number; readonly threads: number },
): { readonly execPath: string; readonly execArgv: string[] } {
  if (process.platform !== "linux" || !existsSync(shell)) return { execPath: program, execArgv: [...args] };
  const kilobytes = (megabytes + reservedMb + perThreadMb * threads) * 1024;
  // The shell sets the limit on itself and becomes the program. If the system forbids the limit, the program runs
  // without it.
  const script = 'ulimit -c 0; ulimit -d "$1" 2>/dev/null; shift; exec "$0" "$@"';
  return { execPath: shell, execArgv: ["-c", script, program, String(kilobytes), ...args] };
}
