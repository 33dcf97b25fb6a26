import type { Connection } from "../../requests.ts";
import { type Run, Writing } from "./writing.ts";

/** A run in a process of its own, which is killed at the step `until`; it is told by the command line. */
const [told = ""] = process.argv.slice(2);
const { connection, run } = JSON.parse(told) as { connection: Connection; run: Run };
const endings: (() => Promise<void>)[] = [];
const writing = await Writing.start(endings);
writing.stop = () => process.kill(process.pid, "SIGKILL");
await writing.write(connection, run);
for (const end of endings) await end();
