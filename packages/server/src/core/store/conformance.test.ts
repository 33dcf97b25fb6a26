import { describe } from "node:test";
import { engines } from "../../testing/server.ts";
import { changing } from "./conformance/changing.ts";
import { migrating } from "./conformance/migrating.ts";
import { pageWalks } from "./conformance/page-walks.ts";
import { paging } from "./conformance/paging.ts";
import { racing } from "./conformance/racing.ts";
import { strings } from "./conformance/strings.ts";

/** One suite for every engine: code on top of them must not depend on which one it has. */
for (const engine of engines) {
  describe(engine, () => {
    migrating(engine);
    changing(engine);
    racing(engine);
    strings(engine);
    paging(engine);
    pageWalks(engine);
  });
}
