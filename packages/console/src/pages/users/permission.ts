import { whyNot } from "../../app/permissions.ts";
import { session } from "../../app/session.ts";

/** Why the user may not manage users and tokens; undefined if it is allowed. */
export const whyNotManage = (): string | undefined =>
  session.value?.manages_users === false
    ? "A Databricks workspace manages the users of this server: change them there. Roles in environments are set on the page of each environment."
    : whyNot("admin");
