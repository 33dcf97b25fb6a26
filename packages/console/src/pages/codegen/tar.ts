const block = 512;
const encoder = new TextEncoder();

/** The files as a tar archive (POSIX ustar). */
export function tarOf(files: readonly { readonly path: string; readonly bytes: Uint8Array }[]): Uint8Array[] {
  const parts = files.flatMap(({ path, bytes }) => [
    headerOf(path, bytes.length),
    bytes,
    new Uint8Array((block - (bytes.length % block)) % block),
  ]);
  return [...parts, new Uint8Array(2 * block)];
}

function headerOf(path: string, size: number): Uint8Array {
  const header = new Uint8Array(block);
  const put = (text: string, at: number) => header.set(encoder.encode(text), at);
  const { name, prefix } = split(path);
  put(name, 0);
  put("0000644\0", 100);
  put("0000000\0", 108);
  put("0000000\0", 116);
  put(`${size.toString(8).padStart(11, "0")}\0`, 124);
  put(`${"0".repeat(11)}\0`, 136);
  // For the checksum, its own field counts as spaces.
  put("        ", 148);
  put("0", 156);
  put("ustar\0" + "00", 257);
  put(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** Splits a path for the header: a name has at most 100 bytes, the folders before it at most 155. */
function split(path: string): { readonly name: string; readonly prefix: string } {
  if (encoder.encode(path).length <= 100) return { name: path, prefix: "" };
  const at = path.lastIndexOf("/");
  return { name: path.slice(at + 1).slice(-100), prefix: path.slice(0, Math.max(0, at)).slice(0, 155) };
}
