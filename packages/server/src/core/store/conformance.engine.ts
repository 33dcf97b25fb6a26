import { describe } from "node:test";
import { engines } from "../../testing/server.ts";
import { changeTests } from "./conformance/changes.ts";
import { migrationTests } from "./conformance/migrations.ts";
import { pageModelTests } from "./conformance/page-model.ts";
import { pagingTests } from "./conformance/pages.ts";
import { raceTests } from "./conformance/races.ts";
import { searchTests } from "./conformance/searches.ts";
import { stringTests } from "./conformance/strings.ts";
import { transactionTests } from "./conformance/transactions.ts";

/** One suite for every database: code on top of the store must not depend on which one it is. */
for (const engine of engines) {
  describe(engine, () => {
    migrationTests(engine);
    changeTests(engine);
    raceTests(engine);
    stringTests(engine);
    pagingTests(engine);
    pageModelTests(engine);
    searchTests(engine);
    transactionTests(engine);
  });
}
