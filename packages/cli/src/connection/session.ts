import { type Endpoint, endpoints } from "@lakehelm/contract";
import {
  ApiError,
  type Client,
  createClient,
  createUntypedClient,
  type FullResponse,
  type Operation,
  operationOf,
  type UntypedCall,
} from "@lakehelm/contract/client";
import type { Io } from "../io.ts";
import type { OperationName } from "../table/spec.ts";
import { type Connection, type ConnectionOptions, checkedToken, resolveConnection } from "./connection.ts";
import { readProfiles, writeProfiles } from "./profiles.ts";

export interface Session {
  readonly io: Io;
  readonly connection: Connection;
  readonly client: Client;
  /** Calls an operation by name. The caller has checked the arguments with the contract. */
  call(name: OperationName, call: UntypedCall): Promise<FullResponse<unknown>>;
  /**
   * The bytes of any answer, for answers without a type: other content types, and paths that the contract does not
   * have.
   */
  bytes(
    operation: Pick<Operation, "method" | "path" | "environment">,
    call: UntypedCall,
  ): Promise<FullResponse<Uint8Array>>;
}

export interface SessionOptions extends ConnectionOptions {
  /** In seconds. */
  readonly timeout?: number | undefined;
}

type Methods = Readonly<Record<string, (call: UntypedCall) => Promise<FullResponse<unknown>>>>;

export async function openSession(io: Io, options: SessionOptions): Promise<Session> {
  const connection = await resolveConnection(io, options);
  const { url, environment, credentials } = connection;
  const token = credentials && (await tokenOf(io, connection));
  const clientOptions = {
    baseUrl: url,
    ...(token !== undefined && { token: checkedToken(token, "The token") }),
    ...(environment !== undefined && { environment }),
    timeoutMs: (options.timeout ?? 120) * 1000,
  };
  const client = createClient(clientOptions);
  const methods = client.withResponse as unknown as Methods;
  return {
    io,
    connection,
    client,
    call: (name, call) => (methods[name] as Methods[string])({ signal: io.signal, ...call }),
    async bytes(operation, call) {
      const raw = createUntypedClient(
        {
          raw: { ...operation, body: "bytes", reads: "application/octet-stream" },
          readEvents: operationOf(endpoints.readEvents),
        },
        clientOptions,
      ) as { withResponse: { raw(call: UntypedCall): Promise<FullResponse<Uint8Array>> } };
      return raw.withResponse.raw({ signal: io.signal, ...call });
    },
  };
}

export const endpointOf = (name: OperationName): Endpoint => endpoints[name];

/** Tokens are renewed a minute before they expire. */
const marginMs = 60_000;
const isValid = (expiresAt: string | undefined) =>
  expiresAt !== undefined && Date.parse(expiresAt) - marginMs > Date.now();

async function tokenOf(io: Io, { url, credentials, profile }: Connection): Promise<string | undefined> {
  if (!credentials || credentials.kind === "token") return credentials?.token;
  if (isValid(credentials.expires_at)) return credentials.token;
  if (credentials.kind === "user") {
    const again = `lakehelm login --username ${credentials.username}${profile === "default" ? "" : ` --profile ${profile}`}`;
    throw new ApiError("unauthorized", `The login of ${credentials.username} has expired. Run: ${again}`);
  }
  const { client_id, client_secret } = credentials;
  const { access_token, expires_at } = await createClient({ baseUrl: url }).exchangeToken({
    body: { client_id, client_secret },
    signal: io.signal,
  });
  if (profile !== undefined) {
    const file = await readProfiles(io);
    const stored = file.profiles[profile];
    if (stored) {
      const renewed = { ...stored, credentials: { ...credentials, token: access_token, expires_at } };
      await writeProfiles(io.env, { ...file, profiles: { ...file.profiles, [profile]: renewed } });
    }
  }
  return access_token;
}
