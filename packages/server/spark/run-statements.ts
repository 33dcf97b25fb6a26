import { connect } from "node:net";
import { Channel, jsonRowsOf, SparkSession } from "@lakehelm/spark-connect";

interface Address {
  /** The `configuration` of an environment. */
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly token: string;
}

/** Runs statements on a cluster without the server under test. Returns the rows of the last statement. */
export async function runStatements(
  { configuration, token }: Address,
  statements: readonly string[],
): Promise<unknown[][]> {
  const authority = String(configuration.remote).replace("sc://", "");
  const port = Number(authority.split(":")[1]);
  const channel = new Channel({
    authority,
    tls: false,
    token,
    maxMessageBytes: 2 ** 24,
    connect: () =>
      new Promise((done, fail) => {
        const socket = connect(port, "127.0.0.1", () => done(socket)).once("error", fail);
      }),
  });
  const session = new SparkSession(channel, { user: "test" });
  try {
    let rows: unknown[][] = [];
    for (const sql of statements) {
      const batches = await Array.fromAsync(session.execute(sql));
      rows = batches.flatMap(({ arrow }) => [...jsonRowsOf(arrow)]);
    }
    return rows;
  } finally {
    await session.release();
    await channel.close();
  }
}

export async function dropSchemas(server: Address, catalogs: readonly string[]): Promise<void> {
  for (const catalog of catalogs) {
    const schemas = await runStatements(server, [`SHOW SCHEMAS IN ${catalog}`]);
    await runStatements(
      server,
      schemas.map(([schema]) => `DROP SCHEMA ${catalog}.\`${schema}\` CASCADE`),
    );
  }
}
