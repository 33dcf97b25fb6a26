import { engines } from "../../testing/server.ts";
import { embedded } from "./conformance/embedded.ts";
import { serverCrashTests } from "./conformance/server-crash.ts";
import { platformConformance } from "./conformance/suite.ts";

for (const engine of engines) platformConformance(embedded, engine);
serverCrashTests(embedded);
