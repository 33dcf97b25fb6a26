import { embedded } from "./conformance/embedded.ts";
import { serverKilled } from "./conformance/killing.ts";
import { platformConformance } from "./conformance/suite.ts";

platformConformance(embedded, "postgres");
serverKilled(embedded);
