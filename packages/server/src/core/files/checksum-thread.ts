import { parentPort, workerData } from "node:worker_threads";
import { checksumOf } from "./checksum.ts";

/** On a thread, so that requests are served while gigabytes are read. */
const sums: string[] = [];
for (const path of workerData as readonly string[]) sums.push(await checksumOf(path));
parentPort?.postMessage(sums);
