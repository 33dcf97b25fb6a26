import type { EgressRules } from "../egress/egress.ts";

/** The test databases and endpoints are on loopback. */
export const allowsLoopback: EgressRules = {
  allowsPrivate: false,
  privateAddresses: ["127.0.0.0/8", "localhost"],
};
