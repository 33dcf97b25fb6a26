import { embedded } from "./conformance/embedded.ts";
import { serverKilled } from "./conformance/killing.ts";

serverKilled(embedded);
