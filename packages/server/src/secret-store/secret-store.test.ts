import assert from "node:assert/strict";
import { test } from "node:test";
import { openHouse, refusal } from "../deployments/test-house.ts";
import { engines } from "../testing/server.ts";

const password = { scope: "crm", key: "password" };

for (const engine of engines) {
  test(`a secret is stored, replaced, listed by name and deleted; its value is never answered, on ${engine}`, async (t) => {
    const house = await openHouse(t, { engine });
    const { client } = house;
    const stored = await client.putSecret({ params: password, body: { value: "hunter1" } });
    assert.deepEqual(stored, { success: true, message: "Secret crm/password stored." });
    await client.putSecret({ params: { ...password, key: "User" }, body: { value: "hunter2" } });
    await client.putSecret({ params: password, body: { value: "hunter3" } });

    const listed = await client.listSecrets({ params: { scope: "crm" } });
    assert.deepEqual(
      listed.secrets.map(({ key }) => key),
      ["User", "password"],
    );
    assert.equal(listed.total, 2);
    assert.equal((await client.listSecrets({ params: { scope: "other" } })).total, 0);

    const gone = await client.deleteSecret({ params: password });
    assert.deepEqual(gone, { success: true, message: "Secret crm/password deleted." });
    assert.equal((await refusal(client.deleteSecret({ params: password }))).status, 404);

    const rows = await house.store.all({ sql: "select * from secrets", parameters: [] });
    assert.doesNotMatch(JSON.stringify([rows, listed, await house.events()]), /hunter/);
    assert.deepEqual(await house.kinds(), Array(3).fill("secret.stored").concat("secret.deleted"));
  });
}

for (const engine of engines) {
  test(`the same value again writes nothing, on ${engine}`, async (t) => {
    const house = await openHouse(t, { engine });
    await house.client.putSecret({ params: password, body: { value: "a\0b" } });
    const before = await house.client.listSecrets({ params: { scope: "crm" } });
    await house.client.putSecret({ params: password, body: { value: "a\0b" } });
    assert.deepEqual(await house.client.listSecrets({ params: { scope: "crm" } }), before);
    assert.deepEqual(await house.kinds(), ["secret.stored"]);
  });
}

for (const engine of engines) {
  test(`secrets at once under one name: all succeed, and one of the values is kept, on ${engine}`, async (t) => {
    const house = await openHouse(t, { engine });
    const values = Array.from({ length: 12 }, (_, n) => `value ${n}`);
    await Promise.all(values.map((value) => house.client.putSecret({ params: password, body: { value } })));
    const { id } = await house.environments.read("local");
    assert.ok(values.includes((await house.secrets.resolve(id, "crm", "password")) ?? ""));
    assert.equal((await house.client.listSecrets({ params: { scope: "crm" } })).total, 1);
  });
}

test("names outside of letters, digits, _ . - or longer than 128 are 409", async (t) => {
  const { client } = await openHouse(t);
  const body = { value: "x" };
  for (const name of ["a b", "ü", "a/b", "{{", "x".repeat(129)]) {
    const refused = await Promise.all([
      refusal(client.putSecret({ params: { scope: name, key: "k" }, body })),
      refusal(client.putSecret({ params: { scope: "s", key: name }, body })),
      refusal(client.deleteSecret({ params: { scope: "s", key: name } })),
      refusal(client.listSecrets({ params: { scope: name } })),
    ]);
    for (const { status } of refused) assert.equal(status, 409, name);
  }
  await client.putSecret({ params: { scope: "A_b.c-9", key: "x".repeat(128) }, body });
});

for (const engine of engines) {
  test(`each environment has secrets of its own, and they keep it from being deleted, on ${engine}`, async (t) => {
    const { client } = await openHouse(t, { engine });
    const environment = "staging";
    await client.createEnvironment({ body: { name: environment } });
    await client.putSecret({ params: password, body: { value: "x" }, environment });
    assert.equal((await client.listSecrets({ params: { scope: "crm" } })).total, 0);
    assert.equal((await client.listSecrets({ params: { scope: "crm" }, environment })).total, 1);
    const params = { environment_id: environment };
    assert.equal((await refusal(client.deleteEnvironment({ params }))).status, 409);
    await client.deleteSecret({ params: password, environment });
    await client.deleteEnvironment({ params });
    const unknown = client.putSecret({ params: password, body: { value: "x" }, environment });
    assert.equal((await refusal(unknown)).status, 404);
  });
}

test("references are resolved for the platform, wherever they stand", async (t) => {
  const house = await openHouse(t);
  const { id } = await house.environments.read("local");
  await house.client.putSecret({ params: password, body: { value: "$& {{secrets/crm/user}}" } });
  await house.client.putSecret({ params: { scope: "crm", key: "user" }, body: { value: "ada" } });
  const tree = {
    url: "db://{{secrets/crm/user}}@host",
    nested: [{ password: "{{secrets/crm/password}}" }, 1, null],
    plain: "{{secrets/crm}}",
  };
  assert.deepEqual(await house.secrets.resolveReferences(id, tree), {
    url: "db://ada@host",
    nested: [{ password: "$& {{secrets/crm/user}}" }, 1, null],
    plain: "{{secrets/crm}}",
  });
  const missing = house.secrets.resolveReferences(id, ["{{secrets/crm/none}}"]);
  await assert.rejects(missing, /There is no secret crm\/none/);
  assert.equal(await house.secrets.resolve(id, "crm", "none"), undefined);
});
