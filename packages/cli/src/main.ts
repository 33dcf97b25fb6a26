import { run } from "./run.ts";

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    interrupted.abort();
    // Work that ignores the signal, such as reading the standard input, ends with the process.
    setTimeout(() => process.exit(130), 500).unref();
  });
}
// The reader has closed the pipe, as `| head` does.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
}
const { env, stdin, stdout, stderr } = process;
process.exitCode = await run(process.argv.slice(2), {
  env,
  stdin,
  stdout,
  stderr,
  signal: interrupted.signal,
});
