import type { Automation, AutomationDetails } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { place, setQuery } from "../../app/router.ts";
import { useReleasedDefinition, useReleaseHistory } from "../../data/automations.ts";
import { Changes } from "../../diff/changes.tsx";
import { withShortCommits } from "../../format/commit.ts";
import { localTime } from "../../format/time.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading } from "../../ui/page.tsx";
import { definitionText } from "./definition.ts";

/** The choice of the current definition, which need not be released. */
const today = "definition";

interface Choice {
  readonly value: string;
  readonly text: string;
}

/**
 * The differences between two releases, or between a release and the current definition. The choice is part of the
 * address.
 */
export function ReleaseDiff({ details }: { details: AutomationDetails }): VNode {
  const { automation, releases } = details;
  const history = useReleaseHistory(automation.id);
  const choices = [
    { value: today, text: "Current definition" },
    ...releasesOf(details, history.data?.events ?? []),
  ];
  const chosen = (name: string, otherwise: string) =>
    choices.find(({ value }) => value === place.value.query.get(name))?.value ?? otherwise;
  const from = chosen("from", releases[0]?.id ?? today);
  const to = chosen("to", today);
  const before = useDefinition(automation, from);
  const after = useDefinition(automation, to);
  const error = history.error ?? before.error ?? after.error;
  return (
    <section class="stack" aria-labelledby="compare">
      <div class="toolbar">
        <h2 id="compare">Compare</h2>
        <Chooser label="Before" name="from" value={from} choices={choices} />
        <span aria-hidden="true">→</span>
        <Chooser label="After" name="to" value={to} choices={choices} />
      </div>
      {error && <ErrorBox error={error} />}
      {!error &&
        (before.text === undefined || after.text === undefined ? (
          <Loading what="the definitions" />
        ) : (
          <Changes before={before.text} after={after.text} />
        ))}
    </section>
  );
}

function Chooser({
  label,
  name,
  value,
  choices,
}: {
  label: string;
  name: string;
  value: string;
  choices: readonly Choice[];
}): VNode {
  return (
    <select
      class="input"
      aria-label={label}
      value={value}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.text}
        </option>
      ))}
    </select>
  );
}

/** The current releases, then former releases in the same environments. */
function releasesOf(
  { releases }: AutomationDetails,
  events: readonly { readonly time: string; readonly data: Readonly<Record<string, unknown>> }[],
): readonly Choice[] {
  return releases.flatMap(({ id, environment, environment_id, version, activated_at }) => [
    {
      value: id,
      text: `${environment}: ${withShortCommits(version)}, current since ${localTime(activated_at)}`,
    },
    ...events
      .filter(({ data }) => data.environment_id === environment_id && data.release_id !== id)
      .map(({ data, time }) => ({
        value: String(data.release_id),
        text: `${environment}: ${withShortCommits(String(data.version))}, released ${localTime(time)}`,
      })),
  ]);
}

/** The definition of a release, or the current one, as YAML. */
function useDefinition(automation: Automation, chosen: string) {
  const released = useReleasedDefinition(automation.alias, chosen === today ? undefined : chosen);
  const definition = chosen === today ? automation.definition : released.data?.definition;
  const [text, setText] = useState<string | undefined>();
  useEffect(() => {
    let isGone = false;
    setText(undefined);
    if (definition !== undefined)
      void definitionText(definition).then((written) => isGone || setText(written));
    return () => {
      isGone = true;
    };
  }, [definition]);
  return { text, error: chosen === today ? null : released.error };
}
