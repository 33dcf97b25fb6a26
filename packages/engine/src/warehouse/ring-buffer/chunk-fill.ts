import duckdb from "@duckdb/node-bindings";
import type { GrownHeap, Part, Ring } from "./ring-buffer.ts";
import { hasHeap } from "./wire-type.ts";

/** Our bytes are shared between threads. The bindings take them, but their types name only the usual kind of memory. */
const memoryOf = (bytes: SharedArrayBuffer) => bytes as unknown as ArrayBuffer;

/** Copies a part of the ring into a chunk of DuckDB, a column at a time. */
export function fillChunk(
  output: duckdb.DataChunk,
  ring: Ring,
  part: Part,
  grown: ReadonlyMap<number, GrownHeap>,
): void {
  const { wires, places } = ring.layout;
  duckdb.data_chunk_set_size(output, part.rows);
  for (const [column, wire] of wires.entries()) {
    const place = places[column];
    if (!place) continue;
    const vector = duckdb.data_chunk_get_vector(output, column);
    const values = part.start + place.values;
    const used = part.heapUsed(column);
    if (hasHeap(wire) && used > 0) {
      const heap = grown.get(column)?.bytes;
      const bytes = heap
        ? new Uint8Array(heap, 0, used)
        : new Uint8Array(ring.memory, part.start + place.heap, used);
      pointIntoHeap(vector, bytes, new Int32Array(ring.memory, values, part.rows * 4));
    }
    duckdb.copy_data_to_vector(vector, 0, memoryOf(ring.memory), values, part.rows * wire.width);
    if (part.nulls(column) === 0) continue;
    duckdb.vector_ensure_validity_writable(vector);
    const bits = Math.ceil(part.rows / 64) * 8;
    duckdb.copy_data_to_vector_validity(vector, 0, memoryOf(ring.memory), part.start + place.validity, bits);
  }
}

/**
 * Gives the vector one string, the whole heap, and lets the entries of long values point into it: one call for a column of a
 * part instead of one for each value (0.2 to 0.4 µs). The vector owns the memory. Entries are those of DuckDB's C header:
 * length, then up to 12 bytes, or 4 bytes and a pointer; until now the pointer is an offset.
 */
function pointIntoHeap(vector: duckdb.Vector, heap: Uint8Array, entries: Int32Array): void {
  duckdb.vector_assign_string_element_len(vector, 0, heap);
  const first = duckdb.vector_get_data(vector, 16);
  const view = new DataView(first.buffer, first.byteOffset, 16);
  // Text that is not UTF-8 is dropped without an error.
  if (view.getUint32(0, true) !== heap.length) throw new Error("A text is not UTF-8.");
  const base = view.getBigUint64(8, true);
  const low = Number(base & 0xffff_ffffn);
  const high = Number(base >> 32n);
  for (let at = 0; at < entries.length; at += 4) {
    if ((entries[at] ?? 0) <= 12) continue;
    const sum = low + (entries[at + 2] ?? 0);
    entries[at + 2] = sum | 0;
    entries[at + 3] = sum > 0xffff_ffff ? high + 1 : high;
  }
}
