import assert from "node:assert/strict";
import { test } from "node:test";
import { createAddresses } from "./addresses.ts";
import { appNamed, environmentNamed } from "./test-gateway.ts";

const own = "http://127.0.0.1:8001";
const settings = { PLATFORM_DEFAULT_ENVIRONMENT: "local" };

test("the address of an app resolves to it, whatever its name", () => {
  for (const front of [undefined, "https://apps.example.com", "http://10.0.0.1:9000"]) {
    for (const domain of [undefined, "apps.example.com", "localhost"]) {
      const appSettings = {
        ...settings,
        ...(front !== undefined && { PLATFORM_APPS_URL: front }),
        ...(domain !== undefined && { PLATFORM_APPS_DOMAIN: domain }),
      };
      const addresses = createAddresses(appSettings, () => own);
      for (const name of [
        "ui",
        "order-desk",
        "a--b",
        "-a",
        "Größe",
        "a/b?c#d%",
        "..",
        "x".repeat(80),
        "019f0000-0000-7000-8000-000000000009",
        "\0",
      ]) {
        for (const environment of ["local", "dev", "Prod/1", "."].map((one) => environmentNamed(one))) {
          const app = appNamed(name);
          const url = new URL(addresses.urlOf(app, environment));
          const address = addresses.read(url.host, `${url.pathname}x?y`);
          assert.equal(address?.rest.replace(/^\//, ""), "x?y", url.href);
          const { named } = address;
          assert.ok(
            named.app === app.id ||
              (named.app === name && [environment.name, environment.id].includes(String(named.environment))),
            `${url.href} is read as ${JSON.stringify(named)}`,
          );
          assert.equal(url.protocol, front?.startsWith("https") ? "https:" : "http:");
          assert.equal(address.origin, url.origin);
        }
      }
    }
  }
});

test("host names contain the environment and match in any case and with any port", () => {
  const appSettings = { ...settings, PLATFORM_APPS_DOMAIN: "apps.example.com" };
  const addresses = createAddresses(appSettings, () => own);
  const app = appNamed("ui");
  const dev = environmentNamed("dev");
  assert.equal(addresses.urlOf(app, environmentNamed("local")), "http://ui.apps.example.com:8001/");
  assert.equal(addresses.urlOf(app, dev), "http://ui--dev.apps.example.com:8001/");
  assert.deepEqual(addresses.read("UI--dev.Apps.Example.com:80", "/x")?.named, {
    environment: "dev",
    app: "ui",
  });
  for (const host of ["a--b--c.apps.example.com", "-.apps.example.com", ".apps.example.com", undefined]) {
    assert.equal(addresses.read(host, "/apps/local/ui/"), undefined);
  }
});

test("in production by path, only apps of the default environment have an address", () => {
  const [usual, other] = [environmentNamed("local"), environmentNamed("dev")];
  const app = appNamed("ui");
  const isServed = (more: object, environment: typeof usual) => {
    const addresses = createAddresses({ ...settings, ...more }, () => own);
    const url = new URL(addresses.urlOf(app, environment));
    const isRead = addresses.read(url.host, url.pathname) !== undefined;
    assert.equal(isRead, addresses.refusal(environment) === undefined, url.href);
    return isRead;
  };
  const production = { PLATFORM_ENV: "production" } as const;
  assert.deepEqual([isServed(production, usual), isServed(production, other)], [true, false]);
  assert.equal(isServed({ ...production, PLATFORM_APPS_DOMAIN: "apps.example.com" }, other), true);
  assert.equal(isServed({ PLATFORM_ENV: "development" }, other), true);
  const { read } = createAddresses({ ...settings, ...production }, () => own);
  for (const path of [
    "/apps/dev/ui/",
    "/apps/%64ev/ui/",
    "/apps/LOCAL/ui/",
    `/apps/${other.id}/${app.id}/`,
  ]) {
    assert.equal(read("127.0.0.1:8001", path), undefined, path);
  }
});
