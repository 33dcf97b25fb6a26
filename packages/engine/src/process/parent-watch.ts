/** A thread that ends the engine with its server, also while the main thread is inside a call that takes minutes. */

import { Socket } from "node:net";

/** The pipe that engine-process.ts opens. Nobody writes to it: it ends when the server does. */
const pipe = new Socket({ fd: 4, readable: true, writable: false });
pipe.on("close", () => process.kill(process.pid, "SIGKILL"));
pipe.on("error", () => {});
pipe.resume();
