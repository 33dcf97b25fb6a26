/** Only the gateway's port for apps, in front of a real HTTP server that plays an app. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import type { App, Environment } from "@lakehelm/contract";
import { pino } from "pino";
import { appProcess } from "../../core/processes.ts";
import { createSystem, uuidV7 } from "../../core/system.ts";
import { readSettings } from "../../settings.ts";
import type { Caller } from "../http/handler.ts";
import { type Got, send } from "../http/test-requests.ts";
import { createAddresses } from "./addresses.ts";
import { createGateway } from "./gateway.ts";
import { createAppSessions } from "./session.ts";
import { createTickets, type Tickets } from "./tickets.ts";

export const ada: Caller = { name: "ada@example.com", role: "operator", authType: "user_token" };

const time = "2026-03-01T12:00:00.000Z";
const newId = uuidV7(Date.now, randomBytes);

export const appNamed = (name: string, environment_id = "e-1"): App => ({
  id: newId(),
  name,
  environment_id,
  description: "",
  agent_id: null,
  source_path: null,
  desired_state: "running",
  observed_state: "running",
  message: null,
  created_at: time,
  updated_at: time,
  created_by: "ada",
  updated_by: null,
});

export const environmentNamed = (name: string, id = "e-1"): Environment => ({
  id,
  name,
  description: null,
  protected: false,
  platform: "embedded",
  gitProvider: null,
  gitRepository: null,
  targetGitBranch: null,
  secretScope: null,
  dataPlatformClientIdKey: null,
  dataPlatformClientSecretKey: null,
  createdBy: null,
  updatedBy: null,
  configuration: {},
  isActive: true,
  createdAt: time,
  updatedAt: time,
});

export interface TestGateway {
  readonly url: string;
  readonly app: App;
  /** All apps, by their names in the environment `local`. */
  readonly apps: Map<string, App>;
  /** The ports of processes, by the ids of their apps. */
  readonly ports: Map<string, number>;
  readonly tickets: Tickets;
  readonly logged: readonly string[];
  /** How many requests have a process at the moment. */
  readonly acquired: () => number;
  /** The clock of the gateway. */
  clock: Date;
  /** The session cookie of a caller who was admitted with a ticket. */
  enter(caller?: Caller, host?: string): Promise<string>;
  stop(): Promise<void>;
}

const listening = async (server: Server): Promise<number> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
};

/** A gateway with one app, `ui` in `local`, played by `play`. */
export async function startTestGateway(
  t: TestContext,
  play: RequestListener,
  more: Readonly<Record<string, string>> = {},
): Promise<TestGateway & { readonly upstream: Server }> {
  const upstream = createServer(play);
  const app = appNamed("ui");
  const ports = new Map([[appProcess(app.id), await listening(upstream)]]);
  const apps = new Map([[app.name, app]]);
  const settings = readSettings(more);
  const logged: string[] = [];
  const found: { clock: Date } = { clock: new Date(time) };
  const system = {
    ...createSystem(),
    now: () => found.clock,
    monotonicMs: () => found.clock.getTime(),
    newId,
  };
  const tickets = createTickets(system);
  let acquired = 0;
  let url = "";
  const addresses = createAddresses(settings, () => url);
  const gateway = createGateway({
    settings,
    system,
    log: pino({ level: "debug" }, { write: (line: string) => void logged.push(line) }),
    addresses,
    tickets,
    sessions: createAppSessions(randomBytes(32), system.now),
    roleNow: async ({ role }) => role,
    find: async ({ environment, app: name }) =>
      environment === "local" ? apps.get(name) : [...apps.values()].find(({ id }) => id === name),
    holdsData: () => true,
    processes: {
      acquire(id) {
        const port = ports.get(id);
        if (port === undefined) return undefined;
        acquired++;
        return { port, release: () => void acquired-- };
      },
    },
  });
  url = `http://127.0.0.1:${await listening(gateway.server)}`;
  t.after(async () => {
    gateway.server.closeAllConnections();
    await gateway.stop();
    upstream.closeAllConnections();
    upstream.close();
  });
  return Object.assign(found, {
    url,
    app,
    apps,
    ports,
    tickets,
    logged,
    upstream,
    acquired: () => acquired,
    stop: gateway.stop,
    async enter(caller = ada, host?: string) {
      const { ticket } = tickets.issue(app, caller);
      const path = host === undefined ? `/apps/local/ui/?ticket=${ticket}` : `/?ticket=${ticket}`;
      return cookieOf(await send(url, { path, ...(host !== undefined && { headers: { host } }) }));
    },
  });
}

export const cookieOf = ({ headers }: Got): string => headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
