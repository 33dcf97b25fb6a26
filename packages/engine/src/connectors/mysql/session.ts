import mysql from "mysql2/promise";
import { allowedAddresses, pinnedSocket } from "../../egress/egress.ts";
import { mysqlProblem } from "./problem.ts";
import type { MysqlSettings } from "./settings.ts";

/** Makes quotes, dates, time zone and warnings independent of the server's configuration. */
export const session = [
  "SET SESSION time_zone = '+00:00', sql_mode = 'STRICT_TRANS_TABLES', net_write_timeout = 3600, sql_notes = 1, max_error_count = 1000",
  "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
];

/** Options for a connection to an address that the rules allow. */
export async function connectionOptions(settings: MysqlSettings) {
  const { egress, host, port } = settings;
  const addresses = await allowedAddresses(egress, host, port);
  return {
    ...plainOptions(settings),
    stream: () => pinnedSocket(addresses, host, port).setNoDelay(true).setKeepAlive(true).connect(port),
  };
}

const plainOptions = ({ host, port, database, user, password, tls, connectTimeout }: MysqlSettings) => ({
  host,
  port,
  database,
  ...(user !== undefined && { user }),
  ...(password !== undefined && { password }),
  ...(tls && { ssl: tls }),
  connectTimeout,
  charset: "utf8mb4",
});

export async function connectMysql(settings: MysqlSettings): Promise<mysql.Connection> {
  try {
    const connection = await mysql.createConnection(await connectionOptions(settings));
    // A connection error between two queries is reported by the next query.
    connection.on("error", () => {});
    for (const statement of session) await connection.query(statement);
    return connection;
  } catch (error) {
    throw mysqlProblem(settings, error);
  }
}
