import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type Client, createClient } from "@lakehelm/contract/client";
import { type ServerProcess, startProcess, testHome } from "../packages/server/src/testing/process.ts";
import type { DatabaseEngine } from "../packages/server/src/testing/server.ts";

export type Role = "viewer" | "operator" | "admin";

/** A caller of one role with a personal access token. */
export interface Caller {
  readonly token: string;
  readonly client: Client;
  /** Sends a request unchanged. Adds the caller's token unless the request has a token. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** The program in its own process with default settings, and a caller of each role. */
export interface Target extends Readonly<Record<Role, Caller>> {
  readonly server: ServerProcess;
  readonly url: string;
  readonly dataDir: string;
  /** A folder outside the data folder, deleted with the test. */
  readonly scratch: string;
}

export interface TargetOptions {
  readonly engine?: DatabaseEngine;
  /** Environment variables in addition to the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A command that starts the server. */
  readonly by?: readonly string[];
}

export async function startTarget(t: TestContext, options: TargetOptions = {}): Promise<Target> {
  const home = await testHome(t, options.engine ?? "sqlite");
  const scratch = await mkdtemp(join(tmpdir(), "lakehelm-security-"));
  t.after(() => rm(scratch, { recursive: true, force: true }));
  // Other tests allow connectors to read the folder for temporary files. Here no folder is allowed.
  const server = await startProcess(
    t,
    home,
    { PLATFORM_CONNECTOR_FOLDERS: "", ...options.settings },
    options.by,
  );
  const [viewer, operator, admin] = await Promise.all([
    createCaller(server, "viewer"),
    createCaller(server, "operator"),
    createCaller(server, "admin"),
  ]);
  return { server, url: server.url, dataDir: home.dataDir, scratch, viewer, operator, admin };
}

export async function createCaller(
  { url, client }: Pick<ServerProcess, "url" | "client">,
  role: Role,
  username = `${role}@example.test`,
): Promise<Caller> {
  const user = await client.createUser({ body: { username, role } });
  const { token } = await client.createToken({ params: { user_id: user.id }, body: { comment: "test" } });
  return {
    token,
    client: createClient({ baseUrl: url, token, retries: 0 }),
    fetch(path, init) {
      const headers = new Headers(init?.headers);
      if (!headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
      return fetch(`${url}${path}`, { ...init, headers });
    },
  };
}
