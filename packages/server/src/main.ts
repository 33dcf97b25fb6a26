import { setFlagsFromString } from "node:v8";
import { restartWithoutCredentials } from "./credentials.ts";
import { closeInheritedFiles } from "./inherited-files.ts";

// Called first, because it may replace this process: nothing else is loaded yet.
restartWithoutCredentials();
closeInheritedFiles();
// Without a listener, Node opens a debugger that every user of the machine can connect to.
process.on("SIGUSR1", () => {});
// Most of what a start allocates stays in memory, so V8 would enlarge the space for new objects to its maximum and keep
// it: 18 MB of an idle server. It may grow once there are requests: 2 is V8's default.
setFlagsFromString("--semi-space-growth-factor=1");
await import("./server-process.ts");
setFlagsFromString("--semi-space-growth-factor=2");
