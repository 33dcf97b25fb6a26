import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { templates } from "@lakehelm/codegen";
import type { CodegenResponse } from "@lakehelm/contract";
import { parse } from "yaml";
import { refused } from "../../testing/refusal.ts";
import { enginesOfSlowSuites, startTestServer, type TestServer, unique } from "../../testing/server.ts";

const paths = ["alter-metadata", "consumption", "connector"].map((name) => `/api/v1/codegen/${name}`);

for (const engine of enginesOfSlowSuites) {
  suite(`code generation on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine });
    });
    after(() => server.close());

    const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
      server.fetch(path, {
        method: "POST",
        body: typeof body === "string" ? body : JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      });
    const generate = async (path: string, body: object, environment?: string) => {
      const answer = await post(path, body, environment ? { "x-environment-id": environment } : {});
      assert.equal(answer.status, 200);
      return (await answer.json()) as CodegenResponse;
    };
    const contentOf = (answer: CodegenResponse, path: string) =>
      answer.artifacts.find((artifact) => artifact.path === path)?.content ?? "";

    test("every template's example generates code, and writes nothing", async () => {
      const stored = await server.rows();
      const listed = await server.client.listCodegenTemplates();
      assert.equal(listed.total, templates.length);
      for (const { name, path, example, produces } of listed.templates) {
        const answer = await generate(path, example);
        assert.deepEqual(answer.errors, [], name);
        assert.deepEqual(
          answer.artifacts.map((artifact) => artifact.path),
          produces,
          name,
        );
      }
      assert.deepEqual(await server.rows(), stored);
    });

    test("the client can generate code", async () => {
      const { status, artifacts } = await server.client.generateAlterMetadata({
        body: {
          catalog_name: "shop",
          schema_name: "sales",
          table_name: "orders",
          change: { table_description: "Orders" },
        },
      });
      assert.equal(status, "success");
      assert.match(artifacts[0]?.content ?? "", /COMMENT ON TABLE shop\.sales\.orders IS 'Orders'/);
    });

    test("connectors are generated for the environment's runtime", async () => {
      const filesIn = async (configuration: Record<string, unknown>) => {
        const name = unique("runtime");
        await server.client.createEnvironment({ body: { name, configuration } });
        const answer = await generate(
          "/api/v1/codegen/connector",
          {
            name: "orders",
            execution_mode: "manual",
            connection_ref: "crm",
            connection: {
              name: "crm",
              type: "postgresql",
              config: { host: "db", database: "crm", user: "u", password: "{{secrets/crm/password}}" },
            },
            table_configs: [{ source_dataset: "orders", target_name: "orders" }],
          },
          name,
        );
        return { ...answer, choices: answer.artifacts[0]?.metadata?.choices as string[] | undefined };
      };
      const databricks = await filesIn({});
      assert.match(databricks.choices?.join() ?? "", /^remote_query reads/);
      assert.match(
        contentOf(databricks, "src/ingestion/orders/connection.dev.sql"),
        /password secret\('crm', 'password'\)/,
      );
      const spark = await filesIn({ runtime: "spark" });
      assert.match(spark.choices?.join() ?? "", /^Spark's JDBC reader/);
      const { errors } = await filesIn({ runtime: "flink" });
      assert.match(errors.join(), /configuration\.runtime "flink"; expected "databricks" or "spark"/);
    });

    test("the bundle and its names use the environment's settings", async () => {
      const name = unique("stage");
      await server.client.createEnvironment({
        body: {
          name,
          secretScope: "stage-secrets",
          gitRepository: "https://git.example/data.git",
          targetGitBranch: "stage",
          configuration: {
            host: "https://stage.example",
            catalog: "stage",
            schema: "work",
            dev_catalog: "playground",
            run_as: "deployer@example.com",
            timezone: "Europe/Berlin",
            notification_email: "data@example.com",
          },
        },
      });
      const answer = await generate(
        "/api/v1/codegen/connector",
        {
          name: "orders",
          execution_mode: "batch",
          schedule_cron: "0 6 * * *",
          connection_ref: "crm",
          connection: {
            name: "crm",
            type: "postgresql",
            config: { host: "db", database: "crm", user: "u", password: "hunter2-is-long" },
          },
          table_configs: [{ source_dataset: "orders", target_name: "orders" }],
        },
        name,
      );
      assert.deepEqual(answer.errors, []);
      const bundle = parse(contentOf(answer, "databricks.yml"));
      assert.deepEqual(bundle.bundle.git, { origin_url: "https://git.example/data.git" });
      const slug = bundle.bundle.name.slice("lakehelm-".length);
      assert.match(slug, new RegExp(`^${name}`));
      assert.deepEqual(bundle.targets.prod, {
        mode: "production",
        workspace: {
          host: "https://stage.example",
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the bundle replaces these.
          root_path: "/Workspace/Users/deployer@example.com/.bundle/${bundle.name}/${bundle.target}",
        },
        git: { branch: "stage" },
        run_as: { user_name: "deployer@example.com" },
        presets: { tags: { environment: slug, managed_by: "lakehelm" } },
      });
      const { dev } = bundle.targets;
      assert.equal(dev.mode, "development");
      assert.deepEqual(dev.variables, {
        catalog: "playground",
        connection_prefix: `${bundle.variables.connection_prefix.default}__dev`,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the bundle replaces this.
        notification_email: "${workspace.current_user.userName}",
        reverse_etl_mode: "dry_run",
      });
      assert.deepEqual(
        [bundle.variables.catalog.default, bundle.variables.schema.default],
        ["stage", "work"],
      );
      const { jobs } = parse(contentOf(answer, "resources/ingest_orders.job.yml")).resources;
      assert.equal(bundle.variables.notification_email.default, "data@example.com");
      assert.deepEqual(jobs.ingest_orders.email_notifications, {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the bundle replaces this.
        on_failure: ["${var.notification_email}"],
      });
      assert.equal(jobs.ingest_orders.schedule.timezone_id, "Europe/Berlin");
      const notebook = contentOf(answer, "src/ingestion/orders/ingest.py");
      assert.match(notebook, /"target": f"\{CATALOG\}\.\{SCHEMA\}\.orders"/);
      assert.match(notebook, /parameter\("catalog", "stage"\).*parameter\("schema", "work"\)/s);

      const secrets = answer.artifacts.flatMap(({ metadata }) => metadata?.secrets ?? []);
      assert.ok(secrets.some((secret) => (secret as { scope: string }).scope === "stage-secrets"));
      assert.doesNotMatch(JSON.stringify(answer), /hunter2/);
      assert.doesNotMatch(server.logged.join(), /hunter2/);
    });

    test("unusable settings of an environment are errors with reasons", async () => {
      const name = unique("odd");
      await server.client.createEnvironment({
        body: { name, configuration: { host: 5, bundle_mode: "sometimes", catalog: "a.b" } },
      });
      const { status, artifacts, errors } = await generate(
        "/api/v1/codegen/alter-metadata",
        { catalog_name: "a", schema_name: "b", table_name: "c", change: { table_description: "d" } },
        name,
      );
      assert.deepEqual({ status, artifacts }, { status: "error", artifacts: [] });
      assert.equal(errors.length, 3);
      assert.match(errors.join(" "), /bundle_mode "sometimes".*configuration\.host that is not a string/);
    });

    test("encode_artifacts returns base64 and sets both flags", async () => {
      const template = templates.find(({ name }) => name === "reverse-etl-postgresql");
      const plain = await generate("/api/v1/codegen/connector", template?.example ?? {});
      const coded = await generate("/api/v1/codegen/connector", {
        ...template?.example,
        encode_artifacts: true,
      });
      assert.deepEqual(
        coded.artifacts.map(({ content }) => Buffer.from(content, "base64").toString("utf8")),
        plain.artifacts.map(({ content }) => content),
      );
      assert.ok(coded.artifacts.every((one) => one.encode_artifacts && one.is_base64));
      assert.ok(plain.artifacts.every((one) => !one.encode_artifacts && !one.is_base64));
    });

    test("X-Environment-Id: an unknown environment is 404, an inactive one 409", async () => {
      const off = unique("off");
      const { id } = await server.client.createEnvironment({ body: { name: off, isActive: false } });
      const generateIn = (environment: string) => {
        const body = { catalog_name: "a", schema_name: "b", table_name: "c", change: {} };
        return server.client.generateAlterMetadata({ body, environment });
      };
      await refused(generateIn("nowhere"), 404, /nowhere/);
      await refused(generateIn(off), 409, /not active/);
      await refused(generateIn(id), 409, /not active/);
    });

    test("an invalid body is reported before an unknown environment", async () => {
      for (const path of paths) {
        const elsewhere = { "x-environment-id": "nowhere" };
        assert.equal((await post(path, {}, elsewhere)).status, 422, path);
        assert.equal((await post(path, "{", elsewhere)).status, 422, path);
        assert.equal((await post(path, '{"a":1', {})).status, 422, path);
        assert.equal((await server.fetch(path, { method: "POST" })).status, 422, path);
      }
      const wrong = await post("/api/v1/codegen/consumption", { flow_name: 5 });
      const { detail } = (await wrong.json()) as { detail: { loc: string[]; type: string }[] };
      assert.deepEqual(
        detail.slice(0, 2).map(({ loc, type }) => [loc, type]),
        [
          [["body", "flow_name"], "string_type"],
          [["body", "source_tables"], "missing"],
        ],
      );
      const surrogate = await post("/api/v1/codegen/alter-metadata", '{"catalog_name":"\\ud800"}');
      assert.ok([400, 422].includes(surrogate.status));
    });

    test("concurrent requests get their own results", async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          generate("/api/v1/codegen/alter-metadata", {
            catalog_name: "shop",
            schema_name: "sales",
            table_name: `orders_${n}`,
            change: { table_description: `Number ${n}` },
          }),
        ),
      );
      answers.forEach((answer, n) => {
        assert.match(answer.artifacts[0]?.content ?? "", new RegExp(`orders_${n} IS 'Number ${n}'`));
      });
    });
  });
}
