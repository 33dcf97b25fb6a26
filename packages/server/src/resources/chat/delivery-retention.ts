import type { Delivery } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import { batchOf, daysBefore } from "../../core/retention/batch.ts";
import type { RetentionSource } from "../../core/retention/retention.ts";
import { deliveryOf } from "./deliveries.ts";
import type { DeliveryRows } from "./delivery-rows.ts";

const deliveredDays = 7;
const deadDays = 30;
/** Delivered messages kept for each channel. */
const deliveredKept = 1000;
/** Larger than a batch of the retention. */
const pageSize = 500;

/** Messages that ended long ago, and delivered ones beyond the number that is kept for their channel. */
export function createDeliveryRetention(
  { system }: Pick<Dependencies, "system">,
  rows: DeliveryRows,
  kept = deliveredKept,
): RetentionSource {
  let asOf = system.now();

  async function dueAt(now: Date): Promise<string[]> {
    const old = [
      ...(await rows.endedBefore("delivered", daysBefore(now, deliveredDays), pageSize)),
      ...(await rows.endedBefore("dead", daysBefore(now, deadDays), pageSize)),
    ];
    return old.length > 0 ? old : rows.surplus(kept, pageSize);
  }

  return {
    kind: "deliveries",
    async next(now) {
      asOf = now;
      return batchOf(await dueAt(now), async (id) => {
        const found = await rows.get(id);
        return found && { record: deliveryOf(found) satisfies Delivery, rows: 1 };
      });
    },
    isStored: async ({ first }) => (await rows.get(String(first))) !== undefined,
    removal: (_, lines) => [
      ...lines.map((line) => {
        const { id, ended_at } = JSON.parse(line) as Delivery;
        return rows.remove(id, ended_at ?? "");
      }),
      rows.forgetDead(daysBefore(asOf, deadDays)),
    ],
  };
}
