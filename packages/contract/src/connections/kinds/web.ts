/** What the kinds of HTTP addresses have in common. */
import type { ConnectionKind } from "./kind.ts";

/** The user and the query of a URL may hold credentials, so the name has neither. */
export const urlLineage =
  (kind: string): ConnectionKind["lineage"] =>
  ({ url }, name) => {
    const address = typeof url === "string" ? URL.parse(url) : null;
    return address
      ? { namespace: address.origin, name: `${address.pathname}#${name}` }
      : { namespace: kind, name };
  };
