import { describe } from "node:test";
import { engines } from "../../testing/server.ts";
import { changeTests } from "./conformance/changing.ts";
import { migrationTests } from "./conformance/migrating.ts";
import { pageModelTests } from "./conformance/page-walks.ts";
import { pagingTests } from "./conformance/paging.ts";
import { raceTests } from "./conformance/racing.ts";
import { stringTests } from "./conformance/strings.ts";

/** One suite for every engine: code on top of them must not depend on which one it has. */
for (const engine of engines) {
  describe(engine, () => {
    migrationTests(engine);
    changeTests(engine);
    raceTests(engine);
    stringTests(engine);
    pagingTests(engine);
    pageModelTests(engine);
  });
}
