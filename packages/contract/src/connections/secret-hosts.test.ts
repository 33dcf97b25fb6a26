import assert from "node:assert/strict";
import { test } from "node:test";
import { allowsHost, connectionHosts, connectionKinds, hostEntry, hostIn, secretHost } from "./index.ts";

test("an address has one form, with its port where that is known", () => {
  const cases: [address: string, usualPort: number | undefined, host: string | undefined][] = [
    ["https://CRM.example.test./v1", undefined, "crm.example.test:443"],
    ["http://crm.example.test", undefined, "crm.example.test:80"],
    ["https://crm.example.test:80", undefined, "crm.example.test:80"],
    ["http://crm.example.test:443/x", undefined, "crm.example.test:443"],
    ["http://2130706433:8080", undefined, "127.0.0.1:8080"],
    ["s3://lake", undefined, "lake"],
    ["db.example.test", 5432, "db.example.test:5432"],
    ["db.example.test", undefined, "db.example.test"],
    ["db.example.test:6432", 5432, "db.example.test:6432"],
    ["::1", 5432, "[::1]:5432"],
    ["[::1]:6432", undefined, "[::1]:6432"],
    ["https://{{parameters.host}}/", undefined, undefined],
    ["", undefined, undefined],
  ];
  for (const [address, usualPort, host] of cases) assert.equal(hostIn(address, usualPort), host, address);
});

test("a bare entry stands for all ports of a host, one with a port for that port alone", () => {
  const cases: [entry: string, host: string, isAllowed: boolean][] = [
    ["crm.example.test", "crm.example.test:443", true],
    ["crm.example.test", "crm.example.test:9000", true],
    ["crm.example.test:443", "crm.example.test:443", true],
    ["crm.example.test:443", "crm.example.test:9000", false],
    ["crm.example.test:443", "crm.example.test", false],
    ["*.example.test", "crm.example.test:9000", true],
    ["*.example.test:443", "crm.example.test:443", true],
    ["*.example.test:443", "crm.example.test:9000", false],
    ["*.example.test", "example.test:443", false],
    ["crm.example.test", "crm.example.test.evil.test:443", false],
    ["[::1]:443", "[::1]:443", true],
    ["[::1]", "[::1]:9000", true],
    ["*", "crm.example.test:9000", true],
    ["programs", "programs", true],
    ["*", "programs", true],
    ["*.programs", "programs", false],
  ];
  for (const [entry, host, isAllowed] of cases)
    assert.equal(allowsHost([entry], host), isAllowed, `${entry} ${host}`);
});

test("entries are hosts with or without a port, and a first use is bound to a port that is not a usual one", () => {
  const entries: [entry: string, form: string | undefined][] = [
    [" CRM.Example.test:8443 ", "crm.example.test:8443"],
    ["*.Example.test:8443", "*.example.test:8443"],
    ["crm.example.test", "crm.example.test"],
    ["crm.example.test:0x50", undefined],
    ["crm.example.test:99999", undefined],
    ["https://crm.example.test", undefined],
    ["crm.example.test/x", undefined],
  ];
  for (const [entry, form] of entries) assert.equal(secretHost(entry), form, entry);
  assert.equal(hostEntry("crm.example.test:443"), "crm.example.test");
  assert.equal(hostEntry("crm.example.test:8443"), "crm.example.test:8443");
  assert.equal(hostEntry("[::1]:5432"), "[::1]");
  assert.equal(hostEntry("programs"), "programs");
});

test("the port of a connection counts", () => {
  const host = (kind: string, config: object) =>
    connectionHosts(kind, { ...config }, ["password"])?.join(" ");
  assert.equal(host("postgresql", { host: "db.example.test" }), "db.example.test:5432");
  assert.equal(host("mysql", { host: "db.example.test", port: "3307" }), "db.example.test:3307");
  assert.equal(host("postgresql", { host: "::1", port: 6432 }), "[::1]:6432");
  // The port is unknown, so an entry with a port does not allow this host.
  assert.equal(
    host("postgresql", { host: "db.example.test", port: "{{parameters.port}}" }),
    "db.example.test",
  );
  assert.equal(host("files", { path: "s3://lake/x", region: "eu-west-1" }), "s3.eu-west-1.amazonaws.com:443");
});

test("a secret that is exchanged for a token counts as sent to both servers", () => {
  const url = "https://api.example.test/v1";
  const auth = { type: "client_credentials", token_url: "https://login.example.test/token" };
  const hosts = (config: object) => connectionHosts("rest", { ...config }, ["auth", "client_secret"]);
  assert.deepEqual(hosts({ url, auth }), ["login.example.test:443", "api.example.test:443"]);
  assert.equal(hosts({ url: "https://{{parameters.host}}/", auth }), undefined);
  assert.deepEqual(connectionHosts("rest", { url, auth }, ["headers", "X-Key"]), ["api.example.test:443"]);
});

test("an address that is no text is not known: it never counts as nowhere", () => {
  const wrong = [[], [[]], ["https://api.example.test"], {}, null, 7, ""];
  for (const { name } of connectionKinds)
    for (const value of wrong) {
      const config = { url: value, host: value, endpoint: value, path: value, auth: { token_url: value } };
      for (const path of [["password"], ["auth", "client_secret"]])
        assert.notDeepEqual(connectionHosts(name, config, path), [], `${name}: ${JSON.stringify(value)}`);
    }
  for (const value of wrong)
    for (const kind of ["rest", "http", "postgresql"])
      assert.equal(connectionHosts(kind, { url: value, host: value }, ["password"]), undefined);
});
