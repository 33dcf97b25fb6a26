const primes = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
] as const;
const [prime1, prime2, prime3, prime4, prime5] = primes;

const wrap = (value: bigint): bigint => BigInt.asUintN(64, value);
const rotate = (value: bigint, bits: bigint): bigint => wrap(value << bits) | (value >> (64n - bits));
const round = (sum: bigint, word: bigint): bigint =>
  wrap(rotate(wrap(sum + wrap(word * prime2)), 31n) * prime1);
const mixLong = (hash: bigint, word: bigint): bigint =>
  wrap(rotate(hash ^ round(0n, word), 27n) * prime1 + prime4);
const mixInteger = (hash: bigint, word: bigint): bigint =>
  wrap(rotate(hash ^ wrap(word * prime1), 23n) * prime2 + prime3);
const mixByte = (hash: bigint, byte: bigint): bigint =>
  wrap(rotate(hash ^ wrap(byte * prime5), 11n) * prime1);

const finish = (hash: bigint): bigint => {
  let mixed = wrap((hash ^ (hash >> 33n)) * prime2);
  mixed = wrap((mixed ^ (mixed >> 29n)) * prime3);
  return BigInt.asIntN(64, mixed ^ (mixed >> 32n));
};

/** XXH64. A number is hashed as its bytes. */
export const xxhash64 = {
  ofInteger: (value: number, seed: bigint): bigint =>
    finish(mixInteger(wrap(seed + prime5 + 4n), BigInt(value >>> 0))),

  ofLong: (value: bigint, seed: bigint): bigint => finish(mixLong(wrap(seed + prime5 + 8n), wrap(value))),

  ofBytes(bytes: Buffer, seed: bigint): bigint {
    let at = 0;
    let hash = wrap(seed + prime5);
    if (bytes.length >= 32) {
      let [one, two, three, four] = [seed + prime1 + prime2, seed + prime2, seed, seed - prime1].map(
        wrap,
      ) as [bigint, bigint, bigint, bigint];
      for (; at <= bytes.length - 32; at += 32) {
        one = round(one, bytes.readBigUInt64LE(at));
        two = round(two, bytes.readBigUInt64LE(at + 8));
        three = round(three, bytes.readBigUInt64LE(at + 16));
        four = round(four, bytes.readBigUInt64LE(at + 24));
      }
      hash = wrap(rotate(one, 1n) + rotate(two, 7n) + rotate(three, 12n) + rotate(four, 18n));
      for (const sum of [one, two, three, four]) hash = wrap((hash ^ round(0n, sum)) * prime1 + prime4);
    }
    hash = wrap(hash + BigInt(bytes.length));
    for (; at <= bytes.length - 8; at += 8) hash = mixLong(hash, bytes.readBigUInt64LE(at));
    for (; at <= bytes.length - 4; at += 4) hash = mixInteger(hash, BigInt(bytes.readUInt32LE(at)));
    for (; at < bytes.length; at += 1) hash = mixByte(hash, BigInt(bytes.readUInt8(at)));
    return finish(hash);
  },
};
