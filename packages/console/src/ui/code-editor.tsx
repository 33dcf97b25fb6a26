import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Editor, Problem, Selection, Suggest } from "../editor/editor.ts";

interface CodeEditorProps {
  readonly label: string;
  readonly value: string;
  readonly language: "sql" | "yaml" | "text";
  readonly onInput?: (value: string) => void;
  /** Called on Ctrl-Enter or Cmd-Enter, with the selection. */
  readonly onSubmit?: (selection: Selection) => void;
  readonly problems?: readonly Problem[];
  readonly suggest?: Suggest;
  /** Gets the editor when it is ready, and undefined when it is removed. */
  readonly onReady?: (editor: Editor | undefined) => void;
  readonly isReadOnly?: boolean;
  readonly class?: string;
}

/**
 * An editor of SQL or YAML. Its script is loaded when an editor is first shown. Tab moves the focus out of the editor.
 */
export function CodeEditor(props: CodeEditorProps): VNode {
  const { label, value, language, problems, isReadOnly = false } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | undefined>(undefined);
  // The editor's callbacks use the properties of the latest rendering.
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let isGone = false;
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    const parent = document.createElement("div");
    parent.style.height = "100%";
    root.append(parent);
    void import("../editor/editor.ts").then(({ createEditor }) => {
      if (isGone) return;
      const { current } = latest;
      const made = createEditor({
        parent,
        root,
        label,
        language,
        value: current.value,
        isReadOnly: current.isReadOnly ?? false,
        onChange: (text) => latest.current.onInput?.(text),
        onSubmit: () => latest.current.onSubmit?.(made.selection()),
        suggest: (word, before, after) => latest.current.suggest?.(word, before, after) ?? [],
      });
      made.setProblems(current.problems ?? []);
      editor.current = made;
      current.onReady?.(made);
    });
    return () => {
      isGone = true;
      latest.current.onReady?.(undefined);
      editor.current?.destroy();
      editor.current = undefined;
      parent.remove();
    };
  }, [label, language]);
  // A layout effect runs before the next key press; a later update would undo that key press.
  useLayoutEffect(() => editor.current?.setValue(value), [value]);
  useLayoutEffect(() => editor.current?.setReadOnly(isReadOnly), [isReadOnly]);
  useLayoutEffect(() => editor.current?.setProblems(problems ?? []), [problems]);
  return <div ref={host} class={`code-editor ${props.class ?? ""}`} />;
}
