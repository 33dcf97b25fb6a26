import mysql from "mysql2/promise";
import { mysqlProblem } from "./problem.ts";
import type { MysqlSettings } from "./settings.ts";

/** Makes quotes, dates and time zone independent of the server's configuration. */
export const session = [
  "SET SESSION time_zone = '+00:00', sql_mode = 'STRICT_TRANS_TABLES', net_write_timeout = 3600",
  "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
];

export const connectionOptions = ({
  host,
  port,
  database,
  user,
  password,
  tls,
  connectTimeout,
}: MysqlSettings) => ({
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
    const connection = await mysql.createConnection(connectionOptions(settings));
    // A connection error between two queries is reported by the next query.
    connection.on("error", () => {});
    for (const statement of session) await connection.query(statement);
    return connection;
  } catch (error) {
    throw mysqlProblem(settings, error);
  }
}
