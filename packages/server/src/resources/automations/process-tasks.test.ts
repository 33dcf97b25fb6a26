/** Python and shell tasks: who may write them, and what a definition may contain. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createClient } from "@lakehelm/contract/client";
import { refused } from "../../testing/refusal.ts";
import { enginesOfSlowSuites, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { ended, type TestTask } from "./test-automations.ts";

const shell = (script: string, more: Partial<TestTask> = {}): TestTask => ({
  name: "work",
  kind: "shell",
  script,
  ...more,
});

for (const engine of enginesOfSlowSuites) {
  suite(`python and shell tasks on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine });
    });
    after(() => server.close());

    /** A client of a user with this role on the server and, if an environment is named, the role admin there. */
    async function caller(role: "viewer" | "operator", environment?: string) {
      const user = await server.client.createUser({
        body: { username: `${unique(role)}@example.test`, role },
      });
      if (environment !== undefined) {
        const params = { environment_id: environment, username: user.username };
        await server.client.putEnvironmentRole({ params, body: { role: "admin" } });
      }
      const { token } = await server.client.createToken({
        params: { user_id: user.id },
        body: { comment: "test" },
      });
      return createClient({ baseUrl: server.url, token, retries: 0 });
    }

    test("only an admin of the whole server writes, releases or prepares such a task", async () => {
      const { client } = server;
      const { id: environment, name } = await client.createEnvironment({ body: { name: unique("dev") } });
      const operator = await caller("operator");
      const local = await caller("operator", environment);
      const definition = { tasks: [shell("echo hi")] };
      const sentence = /runs a program on the server, which requires the role admin on the whole server\./;
      const alias = unique("mine");
      const params = { automation_alias: alias };
      await client.createAutomation({ body: { alias } });
      const attempt = { ...params, attempt_id: "one" };
      const yaml = "tasks:\n  - { name: work, kind: shell, script: echo hi }\n";
      for (const one of [operator, local]) {
        await refused(one.createAutomation({ body: { alias: unique("x"), definition } }), 403, sentence);
        await refused(one.setDefinition({ params, body: definition }), 403, sentence);
        await refused(one.putAttempt({ params: attempt, body: definition }), 403, sentence);
        const files = [{ path: "definition.yaml", content: yaml }];
        await refused(one.putAttempt({ params: attempt, body: { tasks: [], files } }), 403, sentence);
      }
      await client.putAttempt({ params: attempt, body: definition });
      const metadata = { attempt_id: "one" };
      for (const one of [operator, local]) {
        await refused(
          one.syncAutomationRelease({ body: { ...params, environment: name, metadata } }),
          403,
          sentence,
        );
      }
      await client.setDefinition({ params, body: definition });
      for (const one of [operator, local]) {
        await refused(one.syncAutomationRelease({ body: { ...params, environment: name } }), 403, sentence);
      }
      await client.syncAutomationRelease({ body: { ...params, environment: name } });
      // An operator may run what an admin has released.
      const run = await operator.runAutomation({
        params,
        environment: name,
        body: { parameters: { PATH: "/x" } },
      });
      assert.equal((await ended(server, run.id)).status, "succeeded");
    });

    test("a definition is checked: its fields, names of variables, and placeholders in code", async () => {
      const wrong = async (task: Partial<TestTask>) => {
        const definition = { parameters: { day: "" }, tasks: [{ ...shell("echo"), ...task }] };
        return (
          await refused(server.client.createAutomation({ body: { alias: unique("x"), definition } }), 409)
        ).detail;
      };
      assert.match(await wrong({ script: " " }), /is of kind shell and needs either a script or a command\./);
      assert.match(await wrong({ command: ["ls"] }), /needs either a script or a command\./);
      assert.match(await wrong({ kind: "python", script: null }), /is of kind python and needs a script/);
      assert.match(
        await wrong({ script: "echo {{parameters.day}}" }),
        /not filled in here, because a value could become code/,
      );
      assert.match(await wrong({ script: null, command: ["echo", "{{ item }}"] }), /not filled in here/);
      assert.match(
        await wrong({ script: "echo {{secrets/shop/key}}" }),
        /accepted only in a credential field/,
      );
      for (const name of ["PATH", "LD_PRELOAD", "PYTHONPATH", "BASH_ENV", "LAKEHELM_RUN_ID"]) {
        assert.match(
          await wrong({ parameters: { [name]: "x" } }),
          /decides how programs are started and cannot be set/,
        );
      }
      assert.match(await wrong({ parameters: { "a-b": "x" } }), /cannot be the name of a variable/);
    });
  });
}

test("in production such tasks are off unless a setting allows them", async (t) => {
  const server = await startTestServer({ settings: { PLATFORM_PROCESS_TASKS: "off" } });
  t.after(server.close);
  const definition = { tasks: [shell("echo hi")] };
  const params = { automation_alias: "mine" };
  await refused(
    server.client.createAutomation({ body: { alias: "mine", definition } }),
    409,
    /PLATFORM_PROCESS_TASKS=on/,
  );
  await server.client.createAutomation({ body: { alias: "mine" } });
  await server.client.putAttempt({ params: { ...params, attempt_id: "one" }, body: definition });
  const { validation_errors } = await server.client.validateArtifacts({
    params,
    body: { attempt_id: "one" },
  });
  assert.match(validation_errors?.join() ?? "", /Task "work": python and shell tasks are off on this server/);
});
