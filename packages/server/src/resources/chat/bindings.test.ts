import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createOutbound } from "../../runtime/outbound/outbound.ts";
import { requestRules } from "../../runtime/outbound/rules.ts";
import { createPlatforms } from "../../runtime/platforms/platform-requests.ts";
import { testOutbox } from "../../testing/outbox.ts";
import { refused } from "../../testing/refusal.ts";
import { engines, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { createRegistry } from "../automations/registry.ts";
import { createEnvironments } from "../environments/environments.ts";
import { createChatBindings } from "./bindings.ts";
import { createDeliveryRows } from "./delivery-rows.ts";

/** No server listens on this port. */
const hook = "http://127.0.0.1:9/hooks/s3cret";
const noon = Date.UTC(2026, 2, 1, 12);

for (const engine of engines) {
  suite(`chat bindings on ${engine}`, () => {
    /** Moves only forward: the server would record that its clock was set back. */
    let time = noon;
    let server: TestServer;
    before(async () => {
      server = await startTestServer({
        engine,
        now: () => new Date(time),
        settings: { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1" },
      });
    });
    after(() => server.close());

    async function given() {
      const { client } = server;
      const [environment, channel_id] = [unique("qa"), unique("C")];
      const { id } = await client.createEnvironment({ body: { name: environment } });
      const channel = { environment, channel_id };
      const listed = async () => (await client.listBindings({ environment })).bindings;
      return { client, environment, environmentId: id, channel_id, channel, listed };
    }
    const kindsOf = async (bindingId: string) =>
      (await server.events(undefined, `binding/${bindingId}`)).map(({ kind }) => kind);

    test("#11 binds a channel, in dev if no environment is named, and lists it", async () => {
      const { client, channel_id } = await given();
      const alias = unique("orders-daily");
      await client.createAutomation({ body: { alias } });
      const { success, message, binding } = await client.bindChat({
        body: { channel_id, channel_name: "data-ops", automation_alias: alias },
      });
      const silent = "It has no channel_url, so it receives no messages.";
      assert.deepEqual([success, message], [true, `Channel ${channel_id} is bound in dev. ${silent}`]);
      const dev = await client.getEnvironment({ params: { environment_id: "dev" } });
      assert.deepEqual(binding, {
        id: binding.id,
        environment_id: dev.id,
        environment: "dev",
        channel_id,
        team_id: null,
        channel_name: "data-ops",
        channel_url: null,
        automation_alias: alias,
        metadata: {},
        created_at: new Date(time).toISOString(),
        updated_at: new Date(time).toISOString(),
        created_by: "internal-service",
      });
      const { bindings } = await client.listBindings({ query: { limit: 1000 } });
      assert.deepEqual(bindings.at(-1), binding);
      assert.equal((await client.listBindings({ environment: "local" })).total, 0);
      assert.deepEqual(await kindsOf(binding.id), ["binding.created"]);
    });

    test("#11: an unknown automation or environment is 404 and creates nothing; an inactive environment is 409", async () => {
      const { client, channel_id, environment, channel } = await given();
      const before = await server.rows();
      // `prod` would be created on first use.
      const unknown = { channel_id, environment: "prod", automation_alias: "unknown" };
      await refused(client.bindChat({ body: unknown }), 404, /no automation "unknown"/);
      await refused(
        client.bindChat({ body: { channel_id, environment: "nowhere" } }),
        404,
        /no environment "nowhere"/,
      );
      assert.deepEqual(await server.rows(), before);
      await client.updateEnvironment({ params: { environment_id: environment }, body: { isActive: false } });
      await refused(client.bindChat({ body: channel }), 409, /not active/);
    });

    test("#11: binding a channel again replaces the binding under the same id; an identical request changes nothing", async () => {
      const { client, channel, listed } = await given();
      const bind = (channel_name: string) =>
        client.bindChat({
          body: { ...channel, channel_name, channel_url: hook, metadata: { token: "hunter2" } },
        });
      const { signing_secret, ...first } = await bind("one");
      assert.match(signing_secret ?? "", /^[\w-]{43}$/);
      time += 1000;
      const before = await server.rows();
      assert.deepEqual(await bind("one"), first);
      assert.deepEqual(await server.rows(), before);
      const second = await bind("two");
      assert.equal(second.binding.id, first.binding.id);
      assert.equal(second.binding.created_at, first.binding.created_at);
      assert.equal(second.binding.updated_at, new Date(time).toISOString());
      assert.deepEqual(await listed(), [second.binding]);
      const elsewhere = await client.bindChat({ body: { ...channel, environment: "local" } });
      assert.notEqual(elsewhere.binding.id, first.binding.id);
      await client.deleteBinding({ params: { binding_id: elsewhere.binding.id } });
    });

    test("#11: concurrent requests create one binding", async () => {
      const { client, channel, listed } = await given();
      const all = await Promise.all([1, 2, 3, 4].map(() => client.bindChat({ body: channel })));
      const [id, ...others] = new Set(all.map(({ binding }) => binding.id));
      assert.deepEqual(others, []);
      assert.equal((await listed()).length, 1);
      assert.deepEqual(await kindsOf(id as string), ["binding.created"]);
    });

    test("the address of a channel is a secret: masked, encrypted, and unchanged when the mask is sent back", async () => {
      const { client, channel, channel_id, environmentId } = await given();
      const bind = async (channel_url: string | null, channel_name: string) => {
        const metadata = { api_key: "hunter2" };
        const { binding } = await client.bindChat({
          body: { ...channel, channel_name, channel_url, metadata },
        });
        return binding;
      };
      // Only the sender of messages can read the address, no API caller.
      const environments = createEnvironments(server.deps, createPlatforms([]));
      const chat = createChatBindings(server.deps, {
        environments,
        automations: createRegistry(server.deps),
        outbound: createOutbound(requestRules(server.deps.settings)),
        deliveries: createDeliveryRows(server.deps.store, testOutbox(server.deps)),
      });
      const target = async () => chat.target((await chat.find(environmentId, channel_id))?.id ?? "");
      const address = async () => (await target())?.address;

      const binding = await bind(hook, "one");
      assert.equal(binding.channel_url, "********");
      assert.deepEqual(binding.metadata, { api_key: "********", signing_secret: "********" });
      assert.doesNotMatch(JSON.stringify(await server.rows()) + server.logged.join(), /s3cret|hunter2/);
      assert.equal(await address(), hook);
      assert.equal((await bind("********", "two")).channel_url, "********");
      assert.equal(await address(), hook);
      assert.equal((await bind("{{secrets/chat/hook}}", "two")).channel_url, "{{secrets/chat/hook}}");
      assert.equal(await address(), "{{secrets/chat/hook}}");
      assert.equal((await bind(null, "two")).channel_url, null);
      await refused(bind("********", "three"), 409, /^channel_url: .* no secret is stored there/);
      assert.equal(await address(), null);
    });

    test("a webhook's signing secret comes from the request, or is generated and shown once", async () => {
      const { client, channel } = await given();
      const bind = (metadata: Record<string, unknown>, channel_url: string | null = hook) =>
        client.bindChat({ body: { ...channel, channel_url, metadata } });
      const generated = (await bind({ team: "ops" })).signing_secret;
      assert.match(generated ?? "", /^[\w-]{43}$/);
      // The mask, or an absent value, keeps the secret; a new one replaces it and is not shown.
      assert.equal((await bind({ signing_secret: "********" })).signing_secret, undefined);
      assert.equal((await bind({})).signing_secret, undefined);
      assert.equal((await bind({ signing_secret: "my own secret" })).signing_secret, undefined);
      const rows = JSON.stringify(await server.rows());
      assert.doesNotMatch(rows + server.logged.join(), new RegExp(`my own secret|${generated}`));
      await refused(bind({ signing_secret: 7 }), 409, /signing_secret must be a non-empty string/);
      // A mask without a stored secret is refused.
      const other = { ...channel, channel_id: unique("C"), channel_url: hook };
      const fresh = client.bindChat({ body: { ...other, metadata: { signing_secret: "********" } } });
      await refused(fresh, 409, /^metadata.signing_secret: .* no secret is stored there/);
    });

    test("an address that cannot be called is 409, and the error does not repeat the address", async () => {
      const { client, channel_id } = await given();
      const before = await server.rows();
      const bind = (channel_url: string, metadata = {}) =>
        client.bindChat({ body: { environment: "prod", channel_id, channel_url, metadata } });
      for (const url of ["http://10.0.0.1/s3cret", "http://[::1]/s3cret", "http://0x7f.2/s3cret"]) {
        const { detail } = await refused(bind(url), 409, /channel_url cannot be called.*private network/);
        assert.doesNotMatch(detail, /s3cret/);
      }
      await refused(bind("ftp://example.com/x"), 409, /Only http and https/);
      await refused(bind("nonsense"), 409, /is not a URL/);
      for (const url of [
        "http://{{secrets/crm/api-key}}.invalid/",
        "http://127.0.0.1:9/x?k={{secrets/crm/api-key}}",
        "{{secrets/crm/host}}{{secrets/crm/path}}",
        " {{secrets/crm/host}}",
      ]) {
        await refused(bind(url), 409, /^A secret in channel_url must be the whole address/);
      }
      await refused(bind("https://a:b@example.com/"), 409, /user or a password/);
      await refused(
        bind(hook, { kind: "pigeon" }),
        409,
        /metadata.kind must be one of slack, teams, webhook/,
      );
      // `prod` would be created on first use.
      assert.deepEqual(await server.rows(), before);
    });

    test("a binding is removed once; its environment cannot be deleted before", async () => {
      const { client, environment, channel_id, channel } = await given();
      const { binding } = await client.bindChat({ body: channel });
      const deleteEnvironment = () => client.deleteEnvironment({ params: { environment_id: environment } });
      await refused(deleteEnvironment(), 409, /still has resources/);
      const params = { binding_id: binding.id };
      const done = await client.deleteBinding({ params });
      assert.equal(done.message, `Channel ${channel_id} is no longer bound in ${environment}.`);
      await refused(client.deleteBinding({ params }), 404, /no chat binding/);
      assert.deepEqual(await kindsOf(binding.id), ["binding.created", "binding.deleted"]);
      await deleteEnvironment();
    });

    test("bindings show the current name of their environment", async () => {
      const { client, environmentId, channel } = await given();
      await client.bindChat({ body: channel });
      const name = unique("development");
      await client.updateEnvironment({ params: { environment_id: environmentId }, body: { name } });
      const { bindings } = await client.listBindings({ environment: name });
      assert.deepEqual(
        bindings.map(({ environment }) => environment),
        [name],
      );
    });
  });
}
