import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { greeting } from "../../../greeting.ts";
import { readSettings } from "../../../settings.ts";
import { engineMemoryMb, warehouseMemoryMb, warehouseThreads } from "./engine-limits.ts";

suite("Memory limits", () => {
  test("the memory of a warehouse follows the machine unless it is set", () => {
    const memory = (machineMb: number) => warehouseMemoryMb({}, machineMb);
    assert.deepEqual([512, 1024, 4096, 8000, 65_536].map(memory), [128, 128, 512, 1000, 2048]);
    assert.equal(warehouseMemoryMb({ PLATFORM_WAREHOUSE_MEMORY_MB: 300 }, 65_536), 300);
    assert.equal(warehouseMemoryMb({ PLATFORM_ENGINE_MEMORY_MB: 1024 }, 65_536), 384);
    const both = { PLATFORM_WAREHOUSE_MEMORY_MB: 300, PLATFORM_ENGINE_MEMORY_MB: 1024 };
    assert.equal(warehouseMemoryMb(both, 65_536), 300);
  });

  test("threads and the engine's memory follow the memory of a warehouse", () => {
    const limits = (environment: Record<string, string>) => {
      const settings = readSettings(environment);
      return [warehouseThreads(settings), engineMemoryMb(settings)];
    };
    assert.deepEqual(limits({ PLATFORM_WAREHOUSE_MEMORY_MB: "64" }), [1, 2048]);
    assert.deepEqual(
      limits({ PLATFORM_WAREHOUSE_MEMORY_MB: "1000", PLATFORM_WAREHOUSE_THREADS: "7" }),
      [7, 3768],
    );
    const tooClose = { PLATFORM_WAREHOUSE_MEMORY_MB: "1000", PLATFORM_ENGINE_MEMORY_MB: "1511" };
    assert.throws(() => limits(tooClose), /at least 512 more than PLATFORM_WAREHOUSE_MEMORY_MB/);
    assert.deepEqual(
      limits({ ...tooClose, PLATFORM_ENGINE_MEMORY_MB: "1512", PLATFORM_WAREHOUSE_THREADS: "1" }),
      [1, 1512],
    );
    assert.deepEqual(
      limits({ PLATFORM_ENGINE_MEMORY_MB: "1024", PLATFORM_WAREHOUSE_THREADS: "1" }),
      [1, 1024],
    );
  });

  test("the server states them when it starts", () => {
    const server = {
      url: "http://127.0.0.1:1",
      appsUrl: "",
      madeToken: undefined,
      connectorFolders: [],
      consoleLink: undefined,
    };
    const settings = readSettings({ PLATFORM_WAREHOUSE_MEMORY_MB: "300" });
    assert.match(
      greeting(server, settings),
      /Memory {6}300 MB for each warehouse \(PLATFORM_WAREHOUSE_MEMORY_MB\), 2048 MB for the engine/,
    );
  });
});
