import type { AutomationDetails } from "@lakehelm/contract";
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { whyNot } from "../../app/permissions.ts";
import { useAction } from "../../app/queries.ts";
import { Changes } from "../../diff/changes.tsx";
import { counted } from "../../format/number.ts";
import { Button } from "../../ui/button.tsx";
import { CodeEditor } from "../../ui/code-editor.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { ReleaseDialog } from "./release-dialog.tsx";
import { suggestDefinition } from "./suggest.ts";
import { type Check, useDraft } from "./use-draft.ts";

interface DefinitionTabProps {
  readonly details: AutomationDetails;
  readonly environment: string;
}

/** The definition as YAML: validated while the user types, stored as a draft, and released to an environment. */
export function DefinitionTab({ details, environment }: DefinitionTabProps): VNode {
  const { automation } = details;
  const [isReleasing, setReleasing] = useState(false);
  const [showsChanges, setShowsChanges] = useState(false);
  const why = whyNot("operator");
  const draft = useDraft(automation, environment, why === undefined);
  const discard = useAction(() => draft.discard());
  const suggest = useMemo(() => suggestDefinition(environment), [environment]);
  const { text, check } = draft;
  if (text === undefined) return <Loading what="the definition" />;
  const whyNotRelease =
    why ??
    (check.state === "passed"
      ? undefined
      : check.state === "failed"
        ? "Mend the problems first."
        : "It is being checked.");
  return (
    <>
      <div class="toolbar">
        <Verdict check={check} canEdit={why === undefined} />
        <span class="grow" />
        {draft.isDraft && (
          <>
            <span class="faint">Your draft is saved.</span>
            <Button kind="quiet" onClick={() => setShowsChanges(!showsChanges)}>
              {showsChanges ? "Hide changes" : "Show changes"}
            </Button>
            <Button kind="quiet" whyNot={why} isBusy={discard.isRunning} onClick={() => void discard.run()}>
              Discard draft
            </Button>
          </>
        )}
        <Button kind="primary" whyNot={whyNotRelease} onClick={() => setReleasing(true)}>
          Release…
        </Button>
      </div>
      {(check.error ?? discard.error) && <ErrorBox error={(check.error ?? discard.error) as Error} />}
      {showsChanges && draft.isDraft && <Changes before={draft.released ?? ""} after={text} />}
      <div class="definition">
        <CodeEditor
          label="Definition"
          class="definition-editor"
          language="yaml"
          value={text}
          onInput={draft.edit}
          problems={check.problems}
          suggest={suggest}
          isReadOnly={why !== undefined}
        />
        <Findings check={check} />
      </div>
      {isReleasing && (
        <ReleaseDialog
          details={details}
          environment={environment}
          attemptId={draft.attemptId}
          onClose={() => setReleasing(false)}
          onReleased={draft.settle}
        />
      )}
    </>
  );
}

function Verdict({ check, canEdit }: { check: Check; canEdit: boolean }): VNode {
  if (!canEdit) return <span class="faint">Only to read: this requires the role operator.</span>;
  const { state, problems, others } = check;
  const text = {
    waiting: "",
    checking: "Checking…",
    passed: "No problems",
    failed: counted(problems.length + others.length || 1, "problem"),
  }[state];
  const tone = { waiting: "", checking: "busy", passed: "good", failed: "bad" }[state];
  return (
    <span class={`status ${tone}`} role="status">
      {text}
    </span>
  );
}

function Findings({ check }: { check: Check }): VNode | null {
  const { problems, others, nextFirings, state } = check;
  if (problems.length + others.length === 0 && (state !== "passed" || nextFirings.length === 0)) return null;
  return (
    <section class="findings" aria-label="Findings">
      <ul>
        {problems.map(({ line, column, message }) => (
          <li key={`${line} ${column} ${message}`}>
            <span class="faint number">
              {line}:{column}
            </span>
            <span class="cause">{message}</span>
          </li>
        ))}
        {others.map((message) => (
          <li key={message}>
            <span class="faint">–</span>
            <span class="cause">{message}</span>
          </li>
        ))}
      </ul>
      {problems.length + others.length === 0 && (
        <p class="soft">
          It would run <Time at={nextFirings[0]} />, at <Time at={nextFirings[0]} absolute />
          {nextFirings[1] && (
            <>
              , then at <Time at={nextFirings[1]} absolute />
            </>
          )}
          .
        </p>
      )}
    </section>
  );
}
