/**
 * An attacker who can write to the folder of backups, and an operator who restores a backup with the shipped command.
 */
import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { createHash, generateKeyPairSync } from "node:crypto";
import {
  chmod,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { someOf } from "@lakehelm/testing/nightly";
import { until } from "@lakehelm/testing/until";
import { startTarget, type Target } from "./target.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const word = "recognisable-4711";

interface Outcome {
  readonly code: number;
  readonly says: string;
}

const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");

/** A server with a file, a secret and a backup. */
async function given(t: TestContext, settings: Record<string, string> = {}) {
  const at = await startTarget(t, { settings });
  const { client } = at.admin;
  await client.putFile({ params: { path: "notes/a.txt" }, body: `${word} a` });
  await client.putFile({ params: { path: "notes/b.txt" }, body: `${word} b` });
  return { ...at, backup: await backUp(at), ...restoring(at) };
}

async function backUp({ admin: { client } }: Target): Promise<string> {
  const { id } = await client.createBackup();
  const done = await until(async () => {
    const found = await client.getBackup({ params: { backup_id: id } });
    return found.status !== "running" && found;
  });
  assert.equal(done.status, "complete", done.error ?? "");
  return done.path;
}

function restoring({ scratch, dataDir }: Target) {
  let n = 0;
  return {
    /** Makes a copy of the backup to tamper with. */
    async copyOf(backup: string): Promise<string> {
      const copy = join(scratch, `copy-${++n}`);
      await cp(backup, copy, { recursive: true });
      return copy;
    },
    async restore(backup: string, ...more: string[]): Promise<Outcome & { readonly folder: string }> {
      const folder = join(scratch, `restored-${++n}`);
      const key = more.includes("--secret-key-file")
        ? []
        : ["--secret-key-file", join(dataDir, "secret-key")];
      const args = ["run.js", "scripts/restore.ts", backup, "--data-dir", folder, ...key, ...more];
      const outcome = await new Promise<Outcome>((ended) => {
        execFile(process.execPath, args, { cwd: root }, (error, out, err) =>
          ended({ code: Number(error?.code ?? 0), says: `${out}${err}` }),
        );
      });
      return { ...outcome, folder };
    },
  };
}

/** Rewrites the checksums, and the manifest without a signature, as an attacker without the secret key can. */
async function forge(
  backup: string,
  change: (sums: string) => string,
  manifestOf: object = {},
): Promise<void> {
  const sums = change(await readFile(join(backup, "SHA256SUMS"), "utf8"));
  await writeFile(join(backup, "SHA256SUMS"), sums);
  const manifest = JSON.parse(await readFile(join(backup, "manifest.json"), "utf8"));
  const forged = { ...manifest, checksums: sha256(sums), ...manifestOf };
  await writeFile(join(backup, "manifest.json"), `${JSON.stringify(forged, undefined, 2)}\n`);
}

const pathOf = async (backup: string, end: string) => {
  const sums = await readFile(join(backup, "SHA256SUMS"), "utf8");
  const line = sums.split("\n").find((one) => one.endsWith(end));
  return line?.slice(66) ?? assert.fail(end);
};

suite("backups", () => {
  test("a backup that somebody changed is refused, and the whole one is restored", async (t) => {
    const { backup, copyOf, restore, scratch } = await given(t);
    const attacks: Record<string, (copy: string) => Promise<void>> = {
      "a service token with its checksum": async (copy) => {
        const token = "tst_forged_5Vq8RwYk2mHcXz7LbN4dPj";
        await writeFile(join(copy, "data/service-token"), token);
        await forge(copy, (sums) => `${sums}${sha256(token)}  data/service-token\n`);
      },
      "the same without any signature": async (copy) => {
        await writeFile(join(copy, "data/service-token"), "x");
        await forge(copy, (sums) => `${sums}${sha256("x")}  data/service-token\n`, {
          format: 1,
          mac: undefined,
        });
      },
      "an extra file": (copy) => writeFile(join(copy, "data/workspaces/more.txt"), "more"),
      "a file that is a link to the same content": async (copy) => {
        const path = join(copy, await pathOf(copy, "a.txt"));
        await rename(path, join(scratch, "outside.txt"));
        await symlink(join(scratch, "outside.txt"), path);
      },
      "a folder that is a link": async (copy) => {
        await rename(join(copy, "data/workspaces"), join(scratch, "workspaces-outside"));
        await symlink(join(scratch, "workspaces-outside"), join(copy, "data/workspaces"));
      },
      "two files that were exchanged": async (copy) => {
        const [a, b] = [await pathOf(copy, "a.txt"), await pathOf(copy, "b.txt")];
        await rename(join(copy, a), join(copy, "swap"));
        await rename(join(copy, b), join(copy, a));
        await rename(join(copy, "swap"), join(copy, b));
      },
      "a truncated database": (copy) => truncate(join(copy, "data/lakehelm.db"), 8192),
      "a missing manifest": (copy) => rm(join(copy, "manifest.json")),
      "a manifest that is a link": async (copy) => {
        await rename(join(copy, "manifest.json"), join(scratch, "manifest-outside.json"));
        await symlink(join(scratch, "manifest-outside.json"), join(copy, "manifest.json"));
      },
    };
    const { length } = await readFile(join(backup, "manifest.json"));
    const places = Array.from({ length: 24 }, (_, n) => Math.floor((n * length) / 24));
    for (const at of someOf(places, 4)) {
      attacks[`bit ${at % 8} of byte ${at} of the manifest`] = async (copy) => {
        const bytes = await readFile(join(copy, "manifest.json"));
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (at % 8)), at);
        await writeFile(join(copy, "manifest.json"), bytes);
      };
    }
    for (const [name, attack] of Object.entries(attacks)) {
      const copy = await copyOf(backup);
      await attack(copy);
      const { code, says, folder } = await restore(copy);
      assert.equal(code, 1, `${name}: ${says}`);
      assert.match(says, /backup|backed up/, name);
      assert.deepEqual(await readdir(folder).catch(() => []), [], name);
    }
    const whole = await restore(backup);
    assert.equal(whole.code, 0, whole.says);
    assert.doesNotMatch(whole.says, /Warning/);
  });

  test("a backup that is exchanged while it is restored is refused, and a pipe in it holds nothing up", async (t) => {
    const { admin, backup, copyOf, restore, scratch } = await given(t);
    const copy = await copyOf(backup);
    const path = await pathOf(copy, "a.txt");
    const sums = join(copy, "SHA256SUMS");
    const genuine = await readFile(sums, "utf8");
    await writeFile(join(copy, path), "forged");
    await rename(sums, join(scratch, "genuine"));
    const forged = genuine.replace(/^.*(?= {2}.*a\.txt$)/m, sha256("forged"));
    await writeFile(join(scratch, "forged"), forged);
    execFileSync("mkfifo", [sums]);
    // The first reader gets the signed content, later readers get something else.
    const exchange = 'cat "$1" > "$0"; while :; do cat "$2" > "$0"; done';
    const writer = spawn("sh", ["-c", exchange, sums, join(scratch, "genuine"), join(scratch, "forged")], {
      stdio: "ignore",
      detached: true,
    });
    t.after(() => process.kill(-(writer.pid ?? 0), "SIGKILL"));
    const { code, says, folder } = await restore(copy);
    assert.equal(code, 1, says);
    assert.match(says, /SHA256SUMS is missing or was changed/);
    assert.deepEqual(await readdir(folder).catch(() => []), []);

    // A pipe without a writer, so that reading it blocks.
    const other = join(
      dirname(backup),
      basename(backup).replace(/.$/, (last) => (last === "0" ? "1" : "0")),
    );
    await mkdir(other);
    execFileSync("mkfifo", [join(other, "manifest.json")]);
    const { backups } = await admin.client.listBackups();
    assert.deepEqual(
      backups.map(({ path: at }) => at),
      [backup],
    );
    assert.match((await restore(other)).says, /is not a complete backup/);
  });

  test("the modes of files in a backup, which nothing signs, are not restored", async (t) => {
    const { backup, copyOf, restore } = await given(t);
    const copy = await copyOf(backup);
    const paths = ["data/lakehelm.db", await pathOf(copy, "a.txt")];
    for (const path of paths) await chmod(join(copy, path), 0o6777);
    const { code, says, folder } = await restore(copy);
    assert.equal(code, 0, says);
    for (const path of paths) {
      const { mode } = await stat(join(folder, path.slice("data/".length)));
      assert.equal(mode & 0o7777, 0o600, path);
    }
  });

  test("also where unsigned backups are accepted, nothing is written outside or beside what a backup has", async (t) => {
    const { backup, copyOf, restore, scratch } = await given(t);
    const unsigned = { format: 1, mac: undefined };
    const names = [
      "data/service-token",
      "data/secret-key",
      "data/../../evil",
      "/tmp/evil",
      "../evil",
      "data/x",
    ];
    for (const name of names) {
      const copy = await copyOf(backup);
      if (!name.includes("..") && !name.startsWith("/")) await writeFile(join(copy, name), "x");
      await forge(copy, (sums) => `${sums}${sha256("x")}  ${name}\n`, unsigned);
      const { code, says, folder } = await restore(copy, "--accept-unsigned");
      assert.equal(code, 1, `${name}: ${says}`);
      assert.deepEqual(await readdir(folder).catch(() => []), [], name);
      assert.ok(!(await readdir(scratch)).includes("evil"));
    }
    // A backup as versions without signatures made it.
    const old = await copyOf(backup);
    await forge(old, (sums) => sums, unsigned);
    const refused = await restore(old);
    assert.equal(refused.code, 1);
    assert.match(refused.says, /--accept-unsigned/);
    const accepted = await restore(old, "--accept-unsigned");
    assert.equal(accepted.code, 0, accepted.says);
    assert.match(accepted.says, /Warning: nobody can tell who made this backup/);
    // A wrong signature is never accepted.
    const forged = await copyOf(backup);
    await forge(forged, (sums) => sums, { created_by: "mallory" });
    assert.equal((await restore(forged, "--accept-unsigned")).code, 1);
  });

  test("a backup of another server is refused", async (t) => {
    const [own, other] = [await given(t), await given(t)];
    const { code, says } = await own.restore(other.backup);
    assert.equal(code, 1);
    assert.match(says, /not that of the server that was backed up/);
    // An attacker who changes the fingerprint cannot sign the manifest.
    const copy = await own.copyOf(other.backup);
    const { secret_key_fingerprint } = JSON.parse(await readFile(join(own.backup, "manifest.json"), "utf8"));
    await forge(copy, (sums) => sums, { secret_key_fingerprint });
    assert.equal((await own.restore(copy)).code, 1);
  });

  test("an encrypted backup shows nothing, opens with its private key alone, and its files cannot be exchanged", async (t) => {
    const { publicKey, privateKey } = generateKeyPairSync("x25519");
    const settings = {
      PLATFORM_BACKUP_PUBLIC_KEY: publicKey.export({ format: "pem", type: "spki" }).toString(),
    };
    const { backup, copyOf, restore, scratch, dataDir } = await given(t, settings);
    const keyFile = join(scratch, "backup.pem");
    await writeFile(keyFile, privateKey.export({ format: "pem", type: "pkcs8" }));
    const entries = await readdir(backup, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((one) => one.isFile())) {
      const bytes = await readFile(join(entry.parentPath, entry.name));
      assert.ok(!bytes.includes(word) && !bytes.includes("SQLite format"), entry.name);
    }
    assert.ok(!(await readdir(dataDir)).includes(".backup-plain"));

    assert.match((await restore(backup)).says, /--private-key-file/);
    const otherKey = join(scratch, "other.pem");
    const other = generateKeyPairSync("x25519").privateKey;
    await writeFile(otherKey, other.export({ format: "pem", type: "pkcs8" }));
    assert.match((await restore(backup, "--private-key-file", otherKey)).says, /for another key/);

    const copy = await copyOf(backup);
    const [a, b] = [await pathOf(copy, "a.txt"), await pathOf(copy, "b.txt")];
    await rename(join(copy, a), join(copy, "swap"));
    await rename(join(copy, b), join(copy, a));
    await rename(join(copy, "swap"), join(copy, b));
    const exchange = (sums: string) =>
      sums.replace(a, "\0").replace(b, a).replace("\0", b).split("\n").toSorted().join("\n");
    await forge(copy, exchange, { format: 1, mac: undefined });
    const swapped = await restore(copy, "--accept-unsigned", "--private-key-file", keyFile);
    assert.equal(swapped.code, 1, swapped.says);
    assert.match(swapped.says, /was changed/);

    const whole = await restore(backup, "--private-key-file", keyFile);
    assert.equal(whole.code, 0, whole.says);
    assert.equal(await readFile(join(whole.folder, a.slice("data/".length)), "utf8"), `${word} a`);
  });
});
