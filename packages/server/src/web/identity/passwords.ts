import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { createWorkQueue } from "./work-queue.ts";

export interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** OWASP's choice for 16 MiB: about 0.2 s of one core. */
const standard: Cost = { N: 2 ** 14, r: 8, p: 5 };

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a hash to compare with, returns false after the same time. */
  matches(password: string, hash: string | undefined): Promise<boolean>;
}

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

export function createPasswords(randomBytes: (size: number) => Buffer, cost: Cost = standard): Passwords {
  // scrypt runs on Node's four threads, which file access and JWTs also need: it gets at most two of them and at most
  // half of the cores, and a queue of at most a minute.
  const threads = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));
  const line = createWorkQueue({ atOnce: () => threads, room: () => 300, retryAfterSeconds: () => 5 });

  const derived = (password: string, salt: Buffer, { N, r, p }: Cost) =>
    line.run(() => derive(password.normalize("NFKC"), salt, 32, { N, r, p, maxmem: 256 * N * r }));

  const written = ({ N, r, p }: Cost, salt: Buffer, hash: Buffer) =>
    ["scrypt", N, r, p, salt.toString("base64"), hash.toString("base64")].join("$");

  const decoy = written(cost, randomBytes(16), randomBytes(32));

  return {
    async hash(password) {
      const salt = randomBytes(16);
      return written(cost, salt, await derived(password, salt, cost));
    },
    async matches(password, hash) {
      const [, N, r, p, salt = "", expected = ""] = (hash ?? decoy).split("$");
      const cost = { N: Number(N), r: Number(r), p: Number(p) };
      const found = await derived(password, Buffer.from(salt, "base64"), cost);
      return timingSafeEqual(found, Buffer.from(expected, "base64")) && hash !== undefined;
    },
  };
}
