import { randomBytes } from "node:crypto";
import pg from "pg";
import type { ConnectionConfig } from "../../../protocol/transfer.ts";

/** A new schema in the PostgreSQL of this test run. */
export interface PostgresSchema {
  readonly name: string;
  readonly connection: ConnectionConfig;
  /** A session of the test. Its search path is the schema. */
  readonly client: pg.Client;
  /** Opens another session. The caller must end it. */
  connect(): Promise<pg.Client>;
  drop(): Promise<void>;
}

export async function freshSchema(): Promise<PostgresSchema> {
  const server = process.env.TEST_POSTGRES_URL;
  if (server === undefined) throw new Error("TEST_POSTGRES_URL is not set: run the tests with npm test");
  const url = new URL(server);
  const name = `s${randomBytes(5).toString("hex")}`;
  const connect = async () => {
    const client = new pg.Client({ connectionString: server });
    client.on("error", () => {});
    await client.connect();
    await client.query(`SET search_path = ${name}; SET TimeZone = 'UTC'`);
    return client;
  };
  const client = await connect();
  await client.query(`CREATE SCHEMA ${name}`);
  return {
    name,
    client,
    connect,
    connection: {
      type: "postgresql",
      config: {
        host: url.hostname,
        port: Number(url.port),
        database: url.pathname.slice(1),
        user: url.username,
        password: url.password,
        schema: name,
      },
    },
    async drop() {
      await client.query(`DROP SCHEMA ${name} CASCADE`);
      await client.end();
    },
  };
}
