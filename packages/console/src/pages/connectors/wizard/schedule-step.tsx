import type { Connector } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../../app/client.ts";
import { queryClient, useAction, useQuery } from "../../../app/queries.ts";
import { dayAndTime } from "../../../format/time.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { Field } from "../../../ui/field.tsx";
import { Time } from "../../../ui/time.tsx";
import { choiceOf, cronOf, cronSentence, type Pace, paces } from "./schedules.ts";

interface ScheduleStepProps {
  readonly connector: Connector;
  readonly onBack: () => void;
  /** Gets the id of the first run, if one was started. */
  readonly onDone: (runId: string | undefined) => void;
}

/** The schedule in words, and the next times, which the server computes. */
export function ScheduleStep({ connector, onBack, onDone }: ScheduleStepProps): VNode {
  // The initial state is kept, so that opening the step again does not change the choice.
  const [pace, setPace] = useState<Pace>(() => choiceOf(connector).pace);
  const [time, setTime] = useState(() => choiceOf(connector).time);
  const [custom, setCustom] = useState(connector.schedule_cron ?? "0 6 * * *");
  const cron = cronOf(pace, time, custom);
  const params = { connector_id: connector.id };
  // The draft is paused, so saving a schedule starts no run, but the server computes its times.
  const firings = useQuery({
    key: ["firings", connector.id, cron],
    read: async (signal) => {
      const body =
        cron === null
          ? { execution_mode: "manual" as const }
          : { execution_mode: "batch" as const, schedule_cron: cron };
      const saved = await api.updateConnector({ params, body, signal });
      return api.listFirings({ params: { job_id: saved.workflow_id ?? "" }, query: { count: 5 }, signal });
    },
  });
  const finish = useAction(async () => {
    await api.resumeConnector({ params });
    const run = await api.runJob({
      params: { job_id: connector.workflow_id ?? "" },
      body: { reason: "the first run" },
      idempotencyKey: crypto.randomUUID(),
    });
    void queryClient.invalidateQueries();
    onDone(run.id);
  });
  return (
    <section class="stack narrow" aria-label="Schedule">
      <Field
        label="Run it"
        value={pace}
        onInput={(value) => setPace(value as Pace)}
        options={paces.map(([value, text]) => ({ value, text }))}
      />
      {(pace === "day" || pace === "weekday") && (
        <Field
          label="At"
          type="text"
          value={time}
          onInput={setTime}
          hint="Hours and minutes in the time zone of the environment, such as 06:30"
        />
      )}
      {pace === "custom" && (
        <Field
          label="Cron expression"
          value={custom}
          onInput={setCustom}
          path="schedule_cron"
          error={firings.error ?? undefined}
          hint="Five fields: minute, hour, day, month, day of the week"
        />
      )}
      {firings.error && <ErrorBox error={firings.error} />}
      {firings.data && (
        <div class="stack">
          {/* For a draft, the server's sentence ends with its pause, which is removed here. */}
          <p>
            {cronSentence(cron)} {firings.data.sentence.split(" It was paused by ")[0]}
          </p>
          {firings.data.firings.length > 0 && (
            <div>
              <h3>Next times, in your time zone</h3>
              <ol aria-label="Next times">
                {firings.data.firings.map((at) => (
                  <li key={at}>
                    {dayAndTime(at)},{" "}
                    <span class="faint">
                      <Time at={at} />
                    </span>
                  </li>
                ))}
              </ol>
            </div>
          )}
        </div>
      )}
      {finish.error && <ErrorBox error={finish.error} />}
      <div class="row">
        <Button onClick={onBack}>Back</Button>
        <Button
          kind="primary"
          onClick={() => void finish.run()}
          isBusy={finish.isRunning}
          whyNot={firings.data ? undefined : "Choose a valid schedule."}
        >
          Create and run now
        </Button>
      </div>
    </section>
  );
}
