import { embedded } from "./conformance/embedded.ts";
import { platformConformance } from "./conformance/suite.ts";

platformConformance(embedded, "sqlite");
