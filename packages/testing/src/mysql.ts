import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import mysql from "mysql2/promise";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

export interface TestMysql {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

type Binary = "mariadbd" | "mysqld" | "mariadb-install-db";
const folders = [...(process.env.PATH ?? "").split(":"), "/usr/sbin", "/usr/local/sbin", "/usr/libexec"];

/** A real MariaDB or MySQL in a temporary folder, stopped and deleted after the test; undefined if none is installed. */
export async function startMysql(t: {
  after(end: () => Promise<void>): void;
}): Promise<TestMysql | undefined> {
  const binary = (await findBinary("mariadbd")) ?? (await findBinary("mysqld"));
  if (binary === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "mysql-"));
  const asRoot = process.getuid?.() === 0 ? ["--user=root"] : [];
  const common = ["--no-defaults", `--datadir=${join(folder, "data")}`, ...asRoot];
  // At its start, a server deletes all temporary tables in its temporary folder, even those of another server.
  const env = { ...process.env, TMPDIR: folder };
  await install(binary, common, env);

  const port = await freePort();
  const socket = join(folder, "socket");
  const server = spawn(
    binary,
    [
      ...common,
      `--socket=${socket}`,
      `--port=${port}`,
      "--bind-address=127.0.0.1",
      `--pid-file=${join(folder, "pid")}`,
      "--innodb-buffer-pool-size=32M",
      // Tests never kill this server, so it need not wait for the disk.
      "--innodb-flush-log-at-trx-commit=0",
    ],
    { stdio: "ignore", env },
  );
  const exited = once(server, "exit");
  t.after(async () => {
    server.kill("SIGKILL");
    await exited;
    await rm(folder, { recursive: true, force: true });
  });

  const credentials = { host: "127.0.0.1", port, user: "loader", password: "p'a\"ss word", database: "shop" };
  const root = await rootConnection(socket, () => server.exitCode);
  await root.query("CREATE DATABASE shop CHARACTER SET utf8mb4");
  await root.query("CREATE USER loader@`127.0.0.1` IDENTIFIED BY ?", [credentials.password]);
  await root.query("GRANT ALL ON `shop%`.* TO loader@`127.0.0.1` WITH GRANT OPTION");
  // Tests create users with fewer rights, and read the locks of transactions.
  await root.query("GRANT CREATE USER, PROCESS ON *.* TO loader@`127.0.0.1`");
  await root.end();
  return credentials;
}

/** A session of the user that owns all databases of the tests. */
export const openMysql = ({ host, port, user, password }: TestMysql): Promise<mysql.Connection> =>
  mysql.createConnection({ host, port, user, password, timezone: "Z", dateStrings: true });

async function install(binary: string, common: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const run = (file: string, args: readonly string[]) => promisify(execFile)(file, args, { env });
  const installer = binary.endsWith("mariadbd") ? await findBinary("mariadb-install-db") : undefined;
  if (installer === undefined) await run(binary, [...common, "--initialize-insecure"]);
  else await run(installer, [...common, "--auth-root-authentication-method=normal", "--skip-test-db"]);
}

async function rootConnection(socket: string, exited: () => number | null): Promise<mysql.Connection> {
  return until(async () => {
    if (exited() !== null) throw new Error(`The MySQL server ended with ${exited()}.`);
    return mysql.createConnection({ user: "root", socketPath: socket }).catch(() => undefined);
  }, 50);
}

async function findBinary(name: Binary): Promise<string | undefined> {
  for (const folder of folders) {
    const file = join(folder, name);
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return undefined;
}
