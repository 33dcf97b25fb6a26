import type { Connector } from "@lakehelm/contract";
import { isMap } from "@lakehelm/contract/connections";
import { conflict } from "../../core/errors.ts";
import type { Store } from "../../core/store/store.ts";

/** A replication slot that a connector names, with the server that has it. */
interface NamedSlot {
  readonly slot: string;
  readonly server: string;
}

export interface SlotReaders {
  /**
   * Throws 409 if another connector, of any environment, reads the slot that this connector names: each would take away
   * the changes of the other.
   */
  requireFree(connector: Pick<Connector, "id" | "target_type" | "target_config">): Promise<void>;
}

export function createSlotReaders(store: Store): SlotReaders {
  // Slot names have only letters, digits and "_", so nothing is escaped. As "_" matches any character, more rows may be
  // found: they are compared below.
  const naming = store.prepare((db, v: { pattern: string }) =>
    db.selectFrom("connectors").select(["id", "doc"]).where("doc", "like", v.pattern),
  );
  return {
    async requireFree(connector) {
      const named = slotOf(connector);
      if (!named) return;
      const found = await store.all(naming({ pattern: `%"replication_slot":"${named.slot}"%` }));
      const others = found.filter(({ id }) => id !== connector.id);
      const isRead = others.some(({ doc }) => {
        const other = slotOf(JSON.parse(doc) as Connector);
        return other?.slot === named.slot && other.server === named.server;
      });
      if (!isRead) return;
      throw conflict(
        `Another connector of this server reads the replication slot ${named.slot} of ${named.server}, and a slot has one reader. Give this connector another replication_slot.`,
      );
    },
  };
}

/** Undefined if the connector reads no log, or a slot whose name derives from its own id. */
function slotOf({
  target_type,
  target_config,
}: Pick<Connector, "target_type" | "target_config">): NamedSlot | undefined {
  const connection = target_type === "warehouse" && isMap(target_config) ? target_config.connection : {};
  const config = isMap(connection) && isMap(connection.config) ? connection.config : {};
  const { capture, replication_slot, host, port } = config;
  if (capture !== "log" || typeof replication_slot !== "string" || !/^\w+$/.test(replication_slot)) return;
  return { slot: replication_slot, server: `${String(host).toLowerCase()}:${port ?? 5432}` };
}
