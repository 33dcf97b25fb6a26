import { isMap } from "../config.ts";
import { restFields, restLimitFields } from "../rest.ts";
import type { ConnectionKind } from "./kind.ts";
import { urlLineage } from "./web.ts";

export const rest: ConnectionKind = {
  name: "rest",
  title: "a REST API",
  fields: restFields,
  // The token URL gets the secret of `auth`; `url` gets the token.
  address: ({ url, auth }, [field]) => (field === "auth" && isMap(auth) ? [auth.token_url, url] : [url]),
  lineage: urlLineage("rest"),
  source: { fields: restLimitFields, byEngine: true, byGeneratedCode: true },
};
