/** The length of the end mark of an Arrow stream: a continuation mark and a length of zero. */
const endBytes = 8;

/**
 * Joins Arrow streams with the same schema into one. Each stream begins with its schema, a message without a body, and
 * ends with an end mark. The values are not decoded.
 */
export function joinArrowStreams(streams: readonly Uint8Array[]): Uint8Array {
  const parts = streams.map((stream, at) => {
    const end = endsWithMark(stream) ? stream.length - endBytes : stream.length;
    return stream.subarray(at === 0 ? 0 : schemaBytes(stream), end);
  });
  return Buffer.concat([...parts, Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])]);
}

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const schemaBytes = (stream: Uint8Array): number => 8 + view(stream).getInt32(4, true);

function endsWithMark(stream: Uint8Array): boolean {
  if (stream.length < endBytes) return false;
  const last = view(stream);
  return (
    last.getUint32(stream.length - 8, true) === 0xffffffff && last.getUint32(stream.length - 4, true) === 0
  );
}
