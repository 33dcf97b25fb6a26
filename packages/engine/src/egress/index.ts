/** The addresses that a caller may have the server connect to: for connectors, and for the server's own HTTP client. */
export { certificateProblem } from "@lakehelm/spark-connect";
export { connectSocket } from "./connect-socket.ts";
export {
  allowedAddresses,
  EgressRefused,
  type EgressRules,
  type HostAddress,
  type Lookup,
  pinnedLookup,
  plainHost,
} from "./egress.ts";
export { readAllowed, readSubnet } from "./networks.ts";
export { createPortSet, type PortSet, setPorts } from "./port-set.ts";
