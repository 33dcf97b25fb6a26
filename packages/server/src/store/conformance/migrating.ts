import assert from "node:assert/strict";
import test from "node:test";
import { sql } from "kysely";
import type { Engine as EngineName } from "../../testing/server.ts";
import { addConnector, count, fresh, newId, query, testDatabase } from "../../testing/store.ts";
import type { Engine, Row } from "../engine.ts";
import { migrate, versionOf } from "../migrate.ts";
import { type Migration, migrations } from "../migrations.ts";
import { createStore } from "../store.ts";
import { nouns } from "../tables.ts";

/** A step that comes after all released ones. */
const notes: Migration = {
  name: "notes",
  up: (db) => [
    db.schema.createTable("notes").addColumn("note", "text", (c) => c.primaryKey()),
    sql`insert into notes (note) values ('only once')`.$castTo<unknown>().compile === undefined
      ? db.selectFrom("positions")
      : raw(db, "insert into notes (note) values ('only once')"),
  ],
};
