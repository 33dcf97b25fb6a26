import { connect } from "node:net";
import { Channel, SparkSession } from "@lakehelm/spark-connect";
import type { ConnectServer } from "./connect-server.ts";

/** Runs statements on a cluster, beside the server under test. */
export async function runStatements(
  { configuration, token }: ConnectServer,
  statements: readonly string[],
): Promise<void> {
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
  for (const sql of statements) await Array.fromAsync(session.execute(sql));
  await session.release();
  await channel.close();
}
