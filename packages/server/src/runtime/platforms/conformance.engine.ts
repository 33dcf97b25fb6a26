import { isNightly } from "@lakehelm/testing/nightly";
import { engines, enginesOfSlowSuites } from "../../testing/server.ts";
import { databricks } from "./conformance/databricks.ts";
import { embedded } from "./conformance/embedded.ts";
import { serverCrashTests } from "./conformance/server-crash.ts";
import { platformConformance } from "./conformance/suite.ts";

for (const engine of enginesOfSlowSuites) platformConformance(embedded, engine);
for (const engine of isNightly ? engines : ["sqlite" as const]) platformConformance(databricks(), engine);
serverCrashTests(embedded);
