import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isNightly, someOf } from "@lakehelm/testing/nightly";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../../testing/refusal.ts";
import { engines } from "../../../testing/server.ts";
import { startWithWorkspace } from "./testing/connected-server.ts";
import { lostAnswers } from "./testing/faults.ts";

for (const engine of isNightly ? engines : ["sqlite" as const]) {
  suite(`files in a workspace, ${engine}`, () => {
    test("files are copied below root_path or into a volume, whatever is lost, and deleted with their folders", async (t) => {
      const fixture = await startWithWorkspace(t, engine);
      const { objects, workspace, environmentId, configuration } = fixture;
      const put = (path: string, body: string | Uint8Array) =>
        fixture.client.putFile({ params: { path }, body, environment: "lake" });
      const remove = (path: string) => fixture.client.deleteFile({ params: { path }, environment: "lake" });
      /** The objects in the workspace, by their paths below the folder of the environment. */
      const copies = () =>
        [...objects.objects].map(
          ([path, { type, content }]) => [path.replace(/^.*\/files\/[^/]+\//, ""), type, content] as const,
        );
      const settled = () => until(async () => (await fixture.pending()) === 0);
      const notebook = "# Databricks notebook source\nprint(1)\n";

      await put("sql/a b/ü.py", notebook);
      await settled();
      assert.deepEqual(copies(), [["sql/a b/ü.py", "FILE", notebook]]);
      const [path = ""] = objects.objects.keys();
      assert.match(path, new RegExp(`^/Workspace/Shared/lakehelm/.*/files/${environmentId}/sql/a b/ü.py$`));

      for (const fault of someOf(lostAnswers, 2)) {
        workspace.fail({ match: "POST /api/2.0/workspace/*", ...fault });
        await put("a.txt", JSON.stringify(fault));
        await settled();
        assert.deepEqual(copies()[1], ["a.txt", "FILE", JSON.stringify(fault)]);
      }

      // The answer is lost, and the server, too. Meanwhile somebody has deleted the copy of another file.
      workspace.fail({ match: "POST /api/2.0/workspace/import", kind: "silence", after: true });
      await put("a.txt", "last");
      await until(() => copies()[1]?.[2] === "last");
      objects.objects.delete(path);
      await fixture.crash();
      await remove("sql/a b/ü.py");
      await settled();
      assert.deepEqual(copies(), [["a.txt", "FILE", "last"]]);

      // A stranger's file in our folder keeps the folder.
      const stranger = path.replace("sql/a b/ü.py", "theirs.txt");
      objects.objects.set(stranger, { type: "FILE", content: "theirs" });
      await remove("a.txt");
      await settled();
      assert.deepEqual([...objects.objects.keys()], [stranger]);
      objects.objects.delete(stranger);

      const large = new Uint8Array(10 * 1024 * 1024 + 1);
      await refused(put("large.bin", large), 409, /files of up to 10 MB\. Set configuration\.volume/);

      objects.folders.add("/Volumes/shop/sales/files");
      await fixture.client.updateEnvironment({
        params: { environment_id: environmentId },
        body: { configuration: { ...configuration, volume: "/Volumes/shop/sales/files" } },
      });
      const { findings } = await fixture.client.checkEnvironment({
        params: { environment_id: environmentId },
      });
      assert.match(findings.find(({ name }) => name === "files")?.message ?? "", /The volume .* may be read/);
      workspace.fail({ match: "PUT /api/2.0/fs/files/*", kind: "drop", after: true });
      await put("in/large.bin", large);
      await settled();
      assert.deepEqual(
        [...objects.objects].map(([name, { content }]) => [
          /^\/Volumes\/shop\/sales\/files\/\w+\/files\/[^/]+\/in\/large\.bin$/.test(name),
          content.length,
        ]),
        [[true, large.length]],
      );
      await remove("in/large.bin");
      await settled();
      assert.deepEqual(copies(), []);
      assert.ok(
        ![...objects.folders].some((folder) => folder.includes(environmentId) && folder.startsWith("/Vol")),
      );

      // A refusal of the workspace is reported, and the file stays on this server.
      const body = { error_code: "INVALID_PARAMETER_VALUE", message: "The path is too long." };
      workspace.fail({ match: "PUT /api/2.0/fs/files/*", kind: { status: 400, body } });
      await put("b.txt", "b");
      await settled();
      const [failed] = await fixture.server.events("file.failed");
      assert.match(String(failed?.data.error_message), /The path is too long/);
      const { files } = await fixture.client.listFiles({ environment: "lake" });
      assert.deepEqual(
        files.map((file) => file.path),
        ["b.txt"],
      );
    });
  });
}
