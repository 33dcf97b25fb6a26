import type { Outbound } from "../../../outbound/outbound.ts";
import { OutboundError } from "../../../outbound/outbound-error.ts";
import { errorOf } from "./error-response.ts";
import type { IssuedToken } from "./token-source.ts";
import { WorkspaceError } from "./workspace-error.ts";

export interface MachineCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

const path = "/oidc/v1/token";
const what = `POST ${path}`;

/** OAuth machine-to-machine: exchanges the client's secret for a token of about an hour. */
export async function fetchMachineToken(
  outbound: Pick<Outbound, "send">,
  host: string,
  { clientId, clientSecret }: MachineCredentials,
): Promise<IssuedToken> {
  const response = await outbound
    .send({
      url: host + path,
      method: "POST",
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
        accept: "application/json",
      },
      body: "grant_type=client_credentials&scope=all-apis",
      timeoutMs: 20_000,
      maxBytes: 64 * 1024,
    })
    .catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error;
      // A token that was issued and not received leaves nothing behind.
      const kind = error.retryable ? "busy" : "refused";
      throw new WorkspaceError(kind, `${error.message} (${what})`, { cause: error });
    });
  if (response.status !== 200) throw refusal(response.status, response.body, clientSecret, response.headers);
  const { access_token: token, expires_in: seconds } = fieldsOf(response.body);
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) {
    throw new WorkspaceError("busy", `The workspace's answer to ${what} has no token.`);
  }
  return { token, seconds: typeof seconds === "number" && seconds > 0 ? seconds : 3_600 };
}

function refusal(
  status: number,
  body: string,
  secret: string,
  headers: Readonly<Record<string, string>>,
): WorkspaceError {
  const error = errorOf(what, {
    status,
    body,
    retryAfter: headers["retry-after"],
    secrets: [secret],
  });
  const { code, retryAfterSeconds } = error;
  if (error.kind === "open" || error.kind === "busy") {
    return new WorkspaceError("busy", error.message, { status, code, retryAfterSeconds });
  }
  const advice = "Check the client id and the client secret of the service principal.";
  return new WorkspaceError("denied", `${error.message} ${advice}`, { status, code });
}

function fieldsOf(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
