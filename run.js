// Starts a TypeScript file of ours, or says in one line why it cannot. Plain JavaScript: any Node can read it.
import module from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const needed = 26;
const [major] = process.versions.node.split(".");

if (Number(major) < needed) {
  console.error(
    `Lakehelm needs Node ${needed}; this is ${process.version}. "npm ci" installs one on Linux, macOS and ` +
      `Windows (x64 and arm64) unless optional dependencies were left out; elsewhere, install Node ${needed} or newer.`,
  );
  process.exit(1);
}

// Keeps the stripped and compiled modules between starts: a warm start takes about half the time.
module.enableCompileCache?.();
await import(pathToFileURL(resolve(process.argv[2] ?? "")).href);
