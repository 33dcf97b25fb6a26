interface Box {
  readonly width: number;
  readonly height: number;
}

const gap = 32;
/** Screens are wider than high. */
const aspect = 1.6;

/** Puts boxes on shelves, high ones first: the upper left corner of each. */
export function pack(boxes: readonly Box[]): {
  readonly corners: readonly (readonly [x: number, y: number])[];
  readonly width: number;
  readonly height: number;
} {
  const area = boxes.reduce((sum, box) => sum + (box.width + gap) * (box.height + gap), 0);
  const widest = boxes.reduce((most, box) => Math.max(most, box.width), 0);
  const limit = Math.max(widest, Math.sqrt(area * aspect));
  const corners: [number, number][] = new Array(boxes.length);
  let left = 0;
  let top = 0;
  let shelf = 0;
  let width = 0;
  const byHeight = [...boxes.entries()].sort(([, a], [, b]) => b.height - a.height);
  for (const [at, box] of byHeight) {
    if (left > 0 && left + box.width > limit) {
      top += shelf + gap;
      left = 0;
      shelf = 0;
    }
    corners[at] = [left, top];
    left += box.width + gap;
    width = Math.max(width, left - gap);
    shelf = Math.max(shelf, box.height);
  }
  return { corners, width, height: top + shelf };
}
