import { restartWithoutCredentials } from "./credentials.ts";

// First, because it may replace this process: nothing else is loaded yet.
restartWithoutCredentials();
await import("./server-process.ts");
