import { createKeyedCount } from "../../core/concurrency/keyed-count.ts";

/** Whom a run counts for. */
export interface Share {
  readonly environmentId: string;
  readonly caller: string;
}

/** A slot for every run, or a slot that is reserved for a caller or an environment without a run. */
type SlotKind = "shared" | "caller" | "environment";

export interface OccupiedSlot extends Share {
  readonly slot: SlotKind;
}

/** How many slots there are beyond the shared ones, for callers without a run, and again for environments without one. */
const reservedSlots = (slots: number) => Math.ceil(slots / 2);

/** The most runs at once, with those that use a reserved slot. */
export const allSlots = (slots: number) => slots + 2 * reservedSlots(slots);

/**
 * Chooses the waiting runs that start now. The caller and the environment with the fewest running ones come first, and
 * among those the oldest run. If all shared slots are occupied, a caller without a run may still start one, and so may
 * one run of an environment without any: nobody's hanging runs can hold every slot.
 */
export function fairChoice<T extends Share>(
  waiting: readonly T[],
  running: readonly OccupiedSlot[],
  slots: number,
): (T & OccupiedSlot)[] {
  const left = {
    shared: slots,
    caller: reservedSlots(slots),
    environment: reservedSlots(slots),
  };
  const ofCaller = createKeyedCount();
  const ofEnvironment = createKeyedCount();

  function occupy({ slot, caller, environmentId }: OccupiedSlot): void {
    left[slot] -= 1;
    ofCaller.add(caller);
    ofEnvironment.add(environmentId);
  }

  function slotFor({ caller, environmentId }: Share): SlotKind | undefined {
    if (left.shared > 0) return "shared";
    if (left.caller > 0 && ofCaller.of(caller) === 0) return "caller";
    return left.environment > 0 && ofEnvironment.of(environmentId) === 0 ? "environment" : undefined;
  }

  for (const slot of running) occupy(slot);
  const chosen: (T & OccupiedSlot)[] = [];
  const remaining = new Set(waiting);
  for (;;) {
    let best: { readonly run: T; readonly slot: SlotKind; readonly load: number } | undefined;
    for (const run of remaining) {
      const slot = slotFor(run);
      const load = ofCaller.of(run.caller) + ofEnvironment.of(run.environmentId);
      if (slot && (!best || load < best.load)) best = { run, slot, load };
    }
    if (!best) return chosen;
    remaining.delete(best.run);
    const occupied = { ...best.run, slot: best.slot };
    occupy(occupied);
    chosen.push(occupied);
  }
}

/** Callers and environments with the fewest running runs first, then those that have waited longest. */
export function leastLoaded<T extends Share & { readonly oldest: string }>(
  shares: readonly T[],
  running: readonly Share[],
): T[] {
  const loadOf = ({ caller, environmentId }: Share) =>
    running.filter((slot) => slot.caller === caller).length +
    running.filter((slot) => slot.environmentId === environmentId).length;
  return shares
    .map((share) => ({ share, load: loadOf(share) }))
    .sort((one, other) => one.load - other.load || (one.share.oldest < other.share.oldest ? -1 : 1))
    .map(({ share }) => share);
}
