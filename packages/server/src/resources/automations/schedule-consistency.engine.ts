import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { type JobDefinition, Release, ScheduleOverride } from "@lakehelm/contract";
import { enginesOfSlowSuites, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { query } from "../../testing/store.ts";
import { validDesign } from "./test-designs.ts";

const noon = Date.UTC(2026, 2, 1, 12);
const minute = 60_000;

/** A deterministic sequence of numbers from 0 to 1 (a linear congruential generator, as in Numerical Recipes). */
function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

for (const engine of enginesOfSlowSuites) {
  suite(`releases, pauses and jobs on ${engine}`, () => {
    let time = noon;
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ engine, now: () => new Date(time) });
    });
    after(() => server.close());

    /** A snapshot of everything that is stored about an automation. */
    async function moment(automationId: string) {
      const rows = await query(
        server.server.store,
        `select r.doc as release, d.release_id as design, o.doc as override, j.id as job, j.paused, j.definition
           from (select subject, environment_id from jobs where subject = 'automation/${automationId}'
                 union select 'automation/' || owner, environment_id from releases where owner = '${automationId}'
                 union select 'automation/' || automation_id, environment_id from overrides
                   where automation_id = '${automationId}') as environment
           left join releases r on r.owner = '${automationId}' and r.environment_id = environment.environment_id
           left join release_designs d on d.release_id = r.id
           left join overrides o on o.automation_id = '${automationId}' and o.environment_id = environment.environment_id
           left join jobs j on j.subject = environment.subject and j.environment_id = environment.environment_id`,
      );
      return rows.map(({ release, design, override, job, paused, definition }) => ({
        release: release === null ? null : Release.check(JSON.parse(String(release)), [], []),
        design,
        override: override === null ? null : ScheduleOverride.check(JSON.parse(String(override)), [], []),
        job,
        paused: paused === null ? null : JSON.parse(String(paused)),
        trigger: definition === null ? null : (JSON.parse(String(definition)) as JobDefinition).trigger,
      }));
    }

    /** The release record, its design, its job and its override agree at any time. */
    async function agree(automationId: string, alias: string): Promise<void> {
      for (const { release, design, override, job, paused, trigger } of await moment(automationId)) {
        assert.ok(release, "neither a job nor a pause is left without its release");
        assert.deepEqual([release.workflow_id, release.id], [job, design]);
        assert.equal(release.artifact, `automation/${alias}`);
        const cron = `${release.version} 6 * * *`;
        assert.deepEqual(trigger, { kind: "cron", cron, timezone: "UTC" });
        const pause = override && {
          by: override.by,
          at: override.at,
          reason: override.reason,
          until: override.until,
        };
        assert.deepEqual(
          paused && { by: paused.by, at: paused.at, reason: paused.reason, until: paused.until },
          pause,
        );
      }
    }

    test("random and concurrent requests never leave them inconsistent", async () => {
      const chance = createChance(20_260_301);
      const pick = <T>(items: readonly T[]): T => items[Math.floor(chance() * items.length)] as T;
      const { client } = server;
      const alias = unique("orders-daily");
      const params = { automation_alias: alias };
      const environments = [unique("dev"), unique("prod")];
      for (const name of environments) await client.createEnvironment({ body: { name } });
      const { id } = await client.createAutomation({ body: { alias, definition: validDesign } });
      const set = (minute: number) => ({
        ...validDesign,
        schedule: { cron: `${minute} 6 * * *`, timezone: "UTC" },
      });
      let version = 0;
      const acts = {
        async activate() {
          // The version is the minute of its schedule, which distinguishes the job from that of another release.
          const mine = ++version;
          const attempt_id = `a-${mine}`;
          await client.putAttempt({ params: { ...params, attempt_id }, body: set(mine) });
          const metadata = { version: String(mine), attempt_id };
          await client.syncAutomationRelease({
            body: { ...params, environment: pick(environments), metadata },
          });
        },
        async delete() {
          await client.syncAutomationRelease({
            body: { ...params, environment: pick(environments), action: "delete" },
          });
        },
        async pause() {
          const until = chance() < 0.5 ? new Date(time + 5 * minute).toISOString() : null;
          const body = { reason: `for ${version}`, until };
          await client.setSchedule({
            params: { ...params, action: "pause" },
            body,
            environment: pick(environments),
          });
        },
        async resume() {
          await client.setSchedule({
            params: { ...params, action: "resume" },
            environment: pick(environments),
          });
        },
        async wait() {
          time += 2 * minute;
          // An expired pause is ended by the job scheduler or by the server's periodic work, whichever is first.
          if (chance() < 0.3) await server.server.tick();
        },
      };
      const names = ["activate", "activate", "pause", "pause", "resume", "delete", "wait"] as const;
      for (let step = 0; step < 40; step++) {
        const some = Array.from({ length: 1 + Math.floor(chance() * 3) }, () => acts[pick(names)]());
        let isRunning = true;
        const watching = (async () => {
          for (; isRunning; await new Promise(setImmediate)) await agree(id, alias);
        })();
        watching.catch(() => {});
        // There may be no release to pause, or too many at once: the request is rejected and changes nothing.
        await Promise.all(
          some.map((act) => act.catch((error) => assert.equal(error.status, 409, String(error)))),
        );
        isRunning = false;
        await watching;
        await agree(id, alias);
      }
      const { releases, schedules } = await client.getAutomation({ params });
      const { jobs } = await client.listJobs({ query: { kind: "automation" } });
      for (const { environment_id, state } of schedules) {
        const job = jobs.find((one) => one.environment_id === environment_id);
        assert.equal(state, job?.paused ? "paused" : "active");
      }
      assert.equal(jobs.length, releases.length);
    });
  });
}
