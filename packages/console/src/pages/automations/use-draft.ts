import type { Automation } from "@lakehelm/contract";
import { ApiError } from "@lakehelm/contract/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { session } from "../../app/session.ts";
import type { Problem } from "../../editor/editor.ts";
import { definitionText, firstText } from "./definition.ts";
import { readFindings } from "./findings.ts";

/** The length of a pause in typing after which the text is stored and validated. */
const typingMs = 400;
const fileName = "definition.yaml";

export interface Check {
  readonly state: "waiting" | "checking" | "passed" | "failed";
  readonly problems: readonly Problem[];
  /** Findings without a location in the text. */
  readonly others: readonly string[];
  readonly nextFirings: readonly string[];
  readonly error?: Error;
}

const none = { problems: [], others: [], nextFirings: [] };

/**
 * The text of a definition while a user edits it. It is stored as an attempt of that user, so that a reload does not
 * lose it, and the server validates it after each pause in typing.
 */
export function useDraft(automation: Automation, environment: string, canEdit: boolean) {
  const params = { automation_alias: automation.alias, attempt_id: `console-${session.value?.name ?? ""}` };
  const [released, setReleased] = useState<string | undefined>();
  const [text, setText] = useState<string | undefined>();
  const [isDraft, setDraft] = useState(false);
  const [check, setCheck] = useState<Check>({ state: "waiting", ...none });
  const stored = useRef<string | undefined>(undefined);

  useEffect(() => {
    let isGone = false;
    void (async () => {
      const saved = await definitionText(automation.definition);
      const draft = await api.getAttempt({ params }).then(
        ({ files }) => files.find(({ path }) => path === fileName)?.content,
        // Without a draft, the definition is shown.
        () => undefined,
      );
      if (isGone) return;
      setReleased(saved);
      setText((before) => before ?? draft ?? (saved || firstText));
      setDraft(draft !== undefined && draft !== saved);
      stored.current = draft;
    })();
    return () => {
      isGone = true;
    };
  }, [automation.alias, automation.design_content_hash]);

  useEffect(() => {
    if (text === undefined || !canEdit) return;
    const controller = new AbortController();
    const { signal } = controller;
    setCheck((before) => ({ ...before, state: "checking" }));
    const timer = setTimeout(async () => {
      try {
        if (stored.current !== text) {
          await api.putAttempt({ params, body: { files: [{ path: fileName, content: text }] }, signal });
          stored.current = text;
        }
        const answer = await api.validateArtifacts({
          params: { automation_alias: automation.alias },
          body: { attempt_id: params.attempt_id },
          environment,
          signal,
        });
        const firings = answer.metadata_preview?.next_firings;
        setCheck({
          state: answer.validation_status,
          ...readFindings(answer.validation_errors),
          nextFirings: Array.isArray(firings) ? firings.map(String) : [],
        });
      } catch (thrown) {
        if (signal.aborted) return;
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        setCheck({ state: "failed", ...none, error });
      }
    }, typingMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text, environment, canEdit]);

  return {
    text,
    released,
    isDraft,
    check,
    attemptId: params.attempt_id,
    edit(value: string) {
      setText(value);
      setDraft(true);
    },
    async discard() {
      await api.deleteAttempt({ params }).catch((error) => {
        if (!(error instanceof ApiError && error.kind === "notFound")) throw error;
      });
      stored.current = undefined;
      setText(released || firstText);
      setDraft(false);
    },
    /** Call after a release of the draft, which then is the definition. */
    settle() {
      setReleased(text);
      setDraft(false);
    },
  };
}
