import assert from "node:assert/strict";
import { createSecretKey, generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { createClientJwt } from "./client-jwt.ts";
import { testSystem } from "./test-dependencies.ts";

const secret = Buffer.from("k");
const ours = createSecretKey(secret);

async function given() {
  const system = testSystem();
  const jwt = createClientJwt(secret, 3600, system);
  const iat = system.now().getTime() / 1000;
  const payload: JWTPayload = { iss: "lakehelm", sub: "ci", iat, exp: iat + 60, jti: "1", role: "operator" };
  const sign = (claims: JWTPayload, alg = "HS256", key: Parameters<SignJWT["sign"]>[0] = ours) =>
    new SignJWT(claims).setProtectedHeader({ alg }).sign(key);
  return { system, jwt, payload, sign };
}

test("an issued JWT has every claim of the contract and verifies until it expires", async () => {
  const { jwt, system } = await given();
  const { token, expiresAt } = await jwt.issue({ name: "ci", role: "operator" });
  const iat = system.now().getTime() / 1000;
  const { jti, ...claims } = decodeJwt(token);
  assert.deepEqual(claims, { iss: "lakehelm", sub: "ci", iat, exp: iat + 3600, role: "operator" });
  assert.match(String(jti), /^[0-9a-f-]{36}$/);
  assert.equal(decodeProtectedHeader(token).alg, "HS256");
  assert.equal(expiresAt.toISOString(), "2026-03-01T13:00:00.000Z");

  system.advance(3_599_000);
  assert.deepEqual(await jwt.verify(token), { name: "ci", role: "operator" });
  system.advance(1000);
  await assert.rejects(jwt.verify(token), { kind: "unauthorized", message: /has expired/ });
});

test("a user's JWT names the user and the workspace", async () => {
  const { jwt } = await given();
  const claims = {
    name: "ada",
    role: "viewer",
    user: { id: "7", workspace: "embedded", session: "3" },
  } as const;
  const { token } = await jwt.issue(claims);
  assert.deepEqual(await jwt.verify(token), claims);
});

test("a JWT of another key, algorithm or issuer is not ours, expired or not", async () => {
  const { jwt, payload, sign } = await given();
  const other = createSecretKey(Buffer.from("another"));
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const strangers = [
    await sign(payload, "HS256", other),
    await sign({ ...payload, exp: 1 }, "HS256", other),
    await sign(payload, "HS512"),
    await sign(payload, "RS256", privateKey),
    new UnsecuredJWT(payload).encode(),
    await sign({ ...payload, iss: "somebody" }),
    await sign({ ...payload, iss: "somebody", exp: 1 }),
  ];
  for (const token of strangers) assert.equal(await jwt.verify(token), undefined);
});

test("a tampered JWT is not ours", async () => {
  const { jwt, payload, sign } = await given();
  const [header, , signature] = (await sign(payload)).split(".");
  const admin = Buffer.from(JSON.stringify({ ...payload, role: "admin" })).toString("base64url");
  const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
  for (const token of [
    `${header}.${admin}.${signature}`,
    `${none}.${admin}.`,
    `${none}.${admin}.${signature}`,
  ]) {
    assert.equal(await jwt.verify(token), undefined);
  }
});

test("a JWT that lacks a claim, or has an unknown role, is not ours", async () => {
  const { jwt, payload, sign } = await given();
  assert.deepEqual(await jwt.verify(await sign(payload)), { name: "ci", role: "operator" });
  for (const claim of ["iss", "sub", "iat", "exp", "jti", "role"]) {
    const { [claim]: _, ...rest } = payload;
    assert.equal(await jwt.verify(await sign(rest)), undefined, claim);
  }
  for (const change of [{ role: "root" }, { role: ["admin"] }, { uid: 7 }, { uid: "7" }]) {
    assert.equal(await jwt.verify(await sign({ ...payload, ...change })), undefined, JSON.stringify(change));
  }
});

test("a token that is not a JWT is not ours", async () => {
  const { jwt } = await given();
  for (const token of [
    "lhp_x",
    ".",
    "..",
    "a.b.c",
    "e30.e30.e30",
    "é.\u0000.😀",
    "a.b.c.d.e",
    `${"x".repeat(9000)}.a.b`,
  ]) {
    assert.equal(await jwt.verify(token), undefined, token);
  }
});
