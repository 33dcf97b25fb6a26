/** Murmur3 with 32 bits as Spark computes it: each byte after the last whole word is mixed like a word of its own. */
const mixWord = (hash: number, word: number): number => {
  const scrambled = Math.imul(word, 0xcc9e2d51);
  const mixed = hash ^ Math.imul((scrambled << 15) | (scrambled >>> 17), 0x1b873593);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
};

const finish = (hash: number, length: number): number => {
  let mixed = hash ^ length;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
};

export const murmur3 = {
  ofInteger: (value: number, seed: number): number => finish(mixWord(seed, value), 4),

  ofLong(value: bigint, seed: number): number {
    const low = Number(BigInt.asIntN(32, value));
    const high = Number(BigInt.asIntN(32, value >> 32n));
    return finish(mixWord(mixWord(seed, low), high), 8);
  },

  ofBytes(bytes: Buffer, seed: number): number {
    const aligned = bytes.length - (bytes.length % 4);
    let hash = seed;
    for (let at = 0; at < aligned; at += 4) hash = mixWord(hash, bytes.readInt32LE(at));
    for (let at = aligned; at < bytes.length; at += 1) hash = mixWord(hash, bytes.readInt8(at));
    return finish(hash, bytes.length);
  },
};
