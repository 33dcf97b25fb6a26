import type { ChangeContext } from "../../core/store/store.ts";
import type { Caller, ServerRole } from "../../web/http/handler.ts";

/** The caller who applies a plan, for rules that ask for its role. */
export const callerOf = ({ actor, role, serverRole }: ChangeContext): Caller => ({
  name: actor,
  role: (role ?? "none") as ServerRole,
  ...(serverRole !== undefined && { serverRole: serverRole as ServerRole }),
  authType: "service_token",
});
