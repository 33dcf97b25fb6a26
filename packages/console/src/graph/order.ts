import { type Edges, neighbours } from "./layers.ts";

const sweeps = 8;
/** After so many sweeps in a row without fewer crossings, more do not help. */
const patience = 3;

/**
 * Orders each layer so that few edges cross: by the mean position of the neighbours in the layer before, then after, in turns.
 * Every edge connects a layer with the next one. The best order that was seen is returned.
 */
export function ordered(layers: readonly (readonly number[])[], count: number, edges: Edges): number[][] {
  const before = neighbours(count, edges, 1);
  const after = neighbours(count, edges, 0);
  const position = new Float64Array(count);
  const current = layers.map((layer) => [...layer]);
  const place = (layer: readonly number[]) => {
    for (const [at, item] of layer.entries()) position[item] = at;
  };
  current.forEach(place);
  let best = current.map((layer) => [...layer]);
  let fewest = crossings(current, after, position);
  const mean = new Float64Array(count);
  let stale = 0;
  for (let sweep = 0; sweep < sweeps && fewest > 0 && stale < patience; sweep++) {
    const isDown = sweep % 2 === 0;
    const near = isDown ? before : after;
    for (let step = 1; step < current.length; step++) {
      const layer = current[isDown ? step : current.length - 1 - step] as number[];
      for (const item of layer) {
        const others = near[item] as number[];
        let sum = 0;
        for (const other of others) sum += position[other] as number;
        mean[item] = others.length === 0 ? (position[item] as number) : sum / others.length;
      }
      layer.sort(
        (a, b) =>
          (mean[a] as number) - (mean[b] as number) || (position[a] as number) - (position[b] as number),
      );
      place(layer);
    }
    const found = crossings(current, after, position);
    stale++;
    if (found < fewest) {
      stale = 0;
      fewest = found;
      best = current.map((layer) => [...layer]);
    }
  }
  return best;
}

/** How many pairs of edges cross, counted with a tree of partial sums: E log V. */
function crossings(
  layers: readonly (readonly number[])[],
  after: readonly (readonly number[])[],
  position: Float64Array,
): number {
  let total = 0;
  for (let at = 0; at + 1 < layers.length; at++) {
    const size = layers[at + 1]?.length ?? 0;
    const sums = new Int32Array(size + 1);
    let seen = 0;
    for (const item of layers[at] ?? []) {
      const ends = (after[item] ?? []).map((other) => position[other] as number);
      for (const end of ends) {
        let notAfter = 0;
        for (let index = end + 1; index > 0; index -= index & -index) notAfter += sums[index] as number;
        total += seen - notAfter;
      }
      for (const end of ends) {
        for (let index = end + 1; index <= size; index += index & -index)
          sums[index] = (sums[index] as number) + 1;
        seen++;
      }
    }
  }
  return total;
}
