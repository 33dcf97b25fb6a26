import { trimEnd } from "@lakehelm/contract/text";
import { forbidden, unavailable } from "../../core/errors.ts";
import { invalidPassword, invalidToken, type Workspace, type WorkspaceUser } from "./workspace.ts";

/** Enough for a user with thousands of groups. */
const largestAnswer = 1024 * 1024;
/** The characters that a header can carry, and a length that no workspace token reaches. */
const sendable = /^[\x21-\x7e]{1,8192}$/;

export interface DatabricksOptions {
  readonly url: string;
  readonly timeoutMs: number;
  pause(ms: number): Promise<void>;
}

interface WorkspaceResponse {
  /** Undefined: there was no response. */
  readonly status: number | undefined;
  readonly text: string;
  readonly retryAfter: string | null;
  readonly cause?: unknown;
}

/** The users of a Databricks workspace: a token is valid if its current-user lookup succeeds. */
export function databricksWorkspace({ url, timeoutMs, pause }: DatabricksOptions): Workspace {
  const me = `${trimEnd(url, /\//)}/api/2.0/preview/scim/v2/Me`;

  async function lookUpUser(token: string): Promise<WorkspaceResponse> {
    try {
      const response = await fetch(me, {
        headers: { authorization: `Bearer ${token}`, accept: "application/json" },
        // The token must only go to the configured workspace.
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      });
      const retryAfter = response.headers.get("retry-after");
      return { status: response.status, text: await boundedText(response), retryAfter };
    } catch (cause) {
      return { status: undefined, text: "", retryAfter: null, cause };
    }
  }

  async function userOfToken(token: string): Promise<WorkspaceUser> {
    if (!sendable.test(token)) throw invalidToken();
    const reply = await lookUpUser(token);
    if (!isRetryable(reply)) return userIn(reply);
    await pause(waitMs(reply));
    return userIn(await lookUpUser(token));
  }

  return {
    address: url,
    userOfToken,
    // Databricks has no password check: the password must be a personal access token of that user.
    async userOfPassword(username, password) {
      const user = await userOfToken(password);
      if (user.name.toLowerCase() !== username.toLowerCase()) throw invalidPassword();
      return user;
    },
    // Without the user's token the workspace cannot be queried: the JWT is valid until it expires.
    refresh: async (user) => user,
  };
}

const isRetryable = ({ status }: WorkspaceResponse) =>
  status === undefined || status === 429 || status >= 500;

function waitMs({ retryAfter }: WorkspaceResponse): number {
  const seconds = Number(retryAfter ?? Number.NaN);
  return seconds >= 0 ? Math.min(seconds * 1000, 1000) : 100;
}

function userIn({ status, text, cause }: WorkspaceResponse): WorkspaceUser {
  if (status === undefined) throw unavailable("The workspace cannot be reached to check the token.", cause);
  if (status === 401 || status === 403) throw invalidToken();
  const user = status === 200 ? parsed(text) : undefined;
  if (!user) {
    throw unavailable(`The workspace cannot check the token: it answered ${status} without a user.`);
  }
  if (!user.active) throw forbidden("The user account is inactive.");
  return { id: user.name, name: user.name };
}

function parsed(text: string): { readonly name: string; readonly active: boolean } | undefined {
  try {
    const { userName: name, active = true } = JSON.parse(text) as Partial<
      Record<"userName" | "active", unknown>
    >;
    if (typeof name !== "string" || name === "" || typeof active !== "boolean") return undefined;
    return { name, active };
  } catch {
    return undefined;
  }
}

/** An oversized response counts as empty: an empty text contains no user. */
async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > largestAnswer) return "";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
