import type { Server } from "node:http";
import type { Socket } from "node:net";
import { createKeyedCount } from "../../core/concurrency/keyed-count.ts";
import type { Quota } from "./quota.ts";

export interface ConnectionLimits {
  readonly total: number;
  readonly perAddress: number;
  /** Undefined for a trusted proxy, whose connections belong to many clients. */
  addressOf(socket: Socket): string | undefined;
}

/** How often idle connections are closed to make room. */
const sweepMs = 1_000;

/** Limits the connections of a server. Returns its quotas. */
export function limitConnections(
  server: Server,
  { total, perAddress, addressOf }: ConnectionLimits,
): () => Quota[] {
  const counts = createKeyedCount();
  let open = 0;
  let refused = 0;
  let refusedOfAddress = 0;
  let sweptMs = Number.NEGATIVE_INFINITY;
  server.maxConnections = total;
  server.on("drop", () => {
    refused += 1;
    // Idle connections make room for new ones; their clients connect again.
    if (performance.now() - sweptMs < sweepMs) return;
    sweptMs = performance.now();
    server.closeIdleConnections();
  });
  server.on("connection", (socket) => {
    const address = addressOf(socket);
    if (address !== undefined && counts.of(address) >= perAddress) {
      refusedOfAddress += 1;
      return void socket.destroy();
    }
    open += 1;
    if (address !== undefined) counts.add(address);
    socket.once("close", () => {
      open -= 1;
      if (address !== undefined) counts.remove(address);
    });
  });
  return () => [
    { name: "connections", used: open, limit: total, refused },
    {
      name: "connections_per_address",
      used: counts.largest(),
      limit: perAddress,
      refused: refusedOfAddress,
    },
  ];
}
