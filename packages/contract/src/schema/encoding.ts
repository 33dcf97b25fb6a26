// ignoreBOM keeps the byte order mark: decodeJsonText decides whether to drop it.
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The text of a JSON body. Detects UTF-16 and UTF-32 by byte order mark or zero bytes, as Python's json does. */
export function decodeJsonText(bytes: Uint8Array): string | undefined {
  const [a = -1, b = -1, c = -1, d = -1] = bytes;
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return utf32(bytes.subarray(4), false);
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return utf32(bytes.subarray(4), true);
  if (a === 0xfe && b === 0xff) return utf16(bytes.subarray(2), false);
  if (a === 0xff && b === 0xfe) return utf16(bytes.subarray(2), true);
  if (a === 0xef && b === 0xbb && c === 0xbf) return utf8(bytes.subarray(3));
  if (bytes.length >= 4) {
    if (a === 0) return b === 0 ? utf32(bytes, false) : utf16(bytes, false);
    if (b === 0) return c === 0 && d === 0 ? utf32(bytes, true) : utf16(bytes, true);
  } else if (bytes.length === 2) {
    if (a === 0) return utf16(bytes, false);
    if (b === 0) return utf16(bytes, true);
  }
  return utf8(bytes);
}

/** UTF-8 that also allows surrogates encoded as three bytes, as Python does ("surrogatepass"). */
function utf8(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  let decoded = "";
  let from = 0;
  for (let at = bytes.indexOf(0xed); at >= 0; at = bytes.indexOf(0xed, at + 1)) {
    const [, second = 0, third = 0] = bytes.subarray(at, at + 3);
    if (second < 0xa0 || second > 0xbf || third < 0x80 || third > 0xbf) continue;
    const before = decodeUtf8(bytes.subarray(from, at));
    if (before === undefined) return undefined;
    decoded += before + String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f));
    from = at + 3;
  }
  const rest = decodeUtf8(bytes.subarray(from));
  return rest === undefined ? undefined : decoded + rest;
}

function utf16(bytes: Uint8Array, littleEndian: boolean): string | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = "";
  for (let at = 0; at < bytes.length; at += 2) text += String.fromCharCode(view.getUint16(at, littleEndian));
  return text;
}

function utf32(bytes: Uint8Array, littleEndian: boolean): string | undefined {
  if (bytes.length % 4 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    const codePoint = view.getUint32(at, littleEndian);
    if (codePoint > 0x10ffff) return undefined;
    text += String.fromCodePoint(codePoint);
  }
  return text;
}
