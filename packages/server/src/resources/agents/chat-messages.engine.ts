import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textIn } from "node:stream/consumers";
import { after, before, suite, test } from "node:test";
import { refused } from "../../testing/refusal.ts";
import { enginesOfSlowSuites, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { eventually } from "../../web/http/test-requests.ts";
import { putTestAgent, testAgentPath } from "./test-agent.ts";

for (const engine of enginesOfSlowSuites) {
  suite(`chat messages on ${engine}`, () => {
    const environment = "prod";
    const agent_name = "order-desk";
    const posted: { text: string; channel_id: string }[] = [];
    const channel = createServer(async (request, response) => {
      posted.push(JSON.parse(await textIn(request)));
      response.end();
    });
    let server: TestServer;
    let channel_url: string;
    before(async () => {
      await new Promise<void>((done) => channel.listen(0, "127.0.0.1", done));
      channel_url = `http://127.0.0.1:${(channel.address() as AddressInfo).port}/hook`;
      server = await startTestServer({ engine, settings: { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1" } });
      const { client } = server;
      await client.createEnvironment({ body: { name: environment } });
      await client.createAgent({ body: { name: agent_name, aliases: ["bot"], source_path: testAgentPath } });
      await putTestAgent(client, environment);
      await activate("1.0.0");
      await client.retryComponent({ body: { agent_id: "bot", component: "agent_endpoint" }, environment });
    });
    after(async () => {
      await server.close();
      channel.closeAllConnections();
      channel.close();
    });

    const activate = (version: string, action: "activate" | "delete" = "activate") =>
      server.client.syncAgentRelease({ body: { agent_name, version, environment, action } });

    async function bound(more: { channel_url?: string | null; metadata?: Record<string, unknown> } = {}) {
      const channel_id = unique("C");
      await server.client.bindChat({ body: { environment, channel_id, channel_url, ...more } });
      return channel_id;
    }
    const send = (channel_id: string, text: string, more: { message_id?: string; user?: string } = {}) =>
      server.client.postChatMessage({
        params: { agent_id: agent_name },
        body: { environment, channel_id, text, ...more },
      });
    const textsIn = (channel_id: string) =>
      posted.filter((one) => one.channel_id === channel_id).map(({ text }) => text);

    test("#4 a message is answered by the release, and the answer is posted to its channel", async () => {
      const channel_id = await bound();
      const { success, message, answer, delivery_id } = await send(channel_id, "hello", { user: "ada" });
      assert.deepEqual([success, message], [true, `order-desk 1.0.0 answered in the channel ${channel_id}.`]);
      assert.match(answer, new RegExp(`^hello \\d+ \\{"channel_id":"${channel_id}","user":"ada"\\}$`));
      await eventually(() => textsIn(channel_id).length === 1, "it is posted");
      assert.deepEqual(textsIn(channel_id), [answer]);
      const { agents } = await server.client.listAgents();
      const [event] = (await server.events("agent.chat_answered", `agent/${agents[0]?.id}`)).slice(-1);
      assert.equal(event?.data.delivery_id, delivery_id);
      assert.doesNotMatch(JSON.stringify(event), /hello/, "the event does not contain the message");
    });

    test("answers in each supported response format", async () => {
      const channel_id = await bound();
      for (const [question, expected] of [
        ["choices", "chosen"],
        ["messages", "last"],
        ["plain", "plainly"],
      ] as const) {
        assert.equal((await send(channel_id, question)).answer, expected);
      }
      await refused(send(channel_id, "nothing"), 503, /returned no text/);
      await refused(send(channel_id, "fail"), 503, /responded with status 500/);
      await eventually(() => textsIn(channel_id).length === 3, "three are posted");
      assert.deepEqual(textsIn(channel_id), ["chosen", "last", "plainly"]);
    });

    test("the same message_id gets the same answer, also concurrently and after a restart, and is posted once", async () => {
      const [channel_id, other] = [await bound(), await bound()];
      const message_id = unique("m");
      const answers = await Promise.all([1, 2, 3].map(() => send(channel_id, "once", { message_id })));
      const [first] = answers;
      server = await server.restart();
      for (const one of [...answers, await send(channel_id, "edited", { message_id })]) {
        assert.deepEqual(one, first);
      }
      await eventually(() => textsIn(channel_id).length === 1, "it is posted");
      assert.equal(await server.events("agent.chat_answered").then((all) => ofMessage(all, message_id)), 1);
      // Ids are scoped to a channel, and a rejected message can be retried.
      await eventually(
        async () => (await send(other, "other", { message_id }).catch(() => undefined)) !== undefined,
        "the endpoint is up again",
      );
      for (const question of ["fail", "switch", "no status"]) {
        await refused(send(channel_id, question, { message_id: "f" }), 503);
      }
      assert.match((await send(channel_id, "well", { message_id: "f" })).answer, /^well /);
    });
    const ofMessage = (events: readonly { data: Record<string, unknown> }[], id: string) =>
      events.filter(({ data }) => data.message_id === id).length;

    test("a channel can be restricted to an agent; a channel without a URL gets no post", async () => {
      for (const agent of [agent_name, "bot"]) await send(await bound({ metadata: { agent } }), "hi");
      const theirs = await bound({ metadata: { agent: "another" } });
      await refused(send(theirs, "hi"), 409, /belongs to another agent: another\./);
      await refused(send("C-unbound", "hi"), 409, /The channel C-unbound is not bound in prod/);
      const silent = await bound({ channel_url: null });
      const { message, delivery_id } = await send(silent, "hi");
      assert.equal(delivery_id, null);
      assert.match(message, /the channel has no URL, so the answer is only in this response\.$/);
    });

    test("only the released version answers, and only while its chat is active", async () => {
      const { client } = server;
      const channel_id = await bound();
      await activate("1.1.0");
      await refused(
        send(channel_id, "hi"),
        409,
        /is 1\.1\.0, and its endpoint runs 1\.0\.0\. To deploy the release, call POST/,
      );
      await client.retryComponent({ body: { agent_id: "bot", component: "agent_endpoint" }, environment });
      assert.match((await send(channel_id, "hi")).message, /^order-desk 1\.1\.0 answered/);

      const { id: agent_id } = await client.getAgent({ params: { agent_id: "bot" } });
      await client.stopAgent({ body: { agent_id, components: ["chat"] }, environment });
      await refused(send(channel_id, "hi"), 409, /The chat of "order-desk" is stopped in prod/);
      await activate("1.1.0");
      await client.stopAgent({ body: { agent_id, components: ["agent_endpoint"] }, environment });
      await refused(send(channel_id, "hi"), 409, /The endpoint of "order-desk" is not running/);
      await activate("1.1.0", "delete");
      await refused(send(channel_id, "hi"), 409, /has no release in prod/);
    });
  });
}
