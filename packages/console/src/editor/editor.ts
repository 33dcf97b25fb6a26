import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { PostgreSQL, sql } from "@codemirror/lang-sql";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** A message at a position of the text. Lines and columns begin at 1. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  /** The number of underlined characters. Absent: the word at the position is underlined. */
  readonly length?: number;
  readonly message: string;
  readonly severity?: "error" | "warning" | "info";
}

/** A word that completion offers. */
export interface Suggestion {
  readonly text: string;
  readonly kind: "keyword" | "function" | "class" | "property" | "namespace" | "constant";
  /** Shown beside the word, for example the type of a column. */
  readonly note?: string;
}

export interface EditorOptions {
  readonly parent: HTMLElement;
  readonly root: ShadowRoot;
  readonly label: string;
  readonly value: string;
  readonly language: "sql" | "yaml" | "text";
  readonly isReadOnly: boolean;
  readonly onChange: (value: string) => void;
  /** Ctrl-Enter or Cmd-Enter. */
  readonly onSubmit: () => void;
  readonly suggest: Suggest;
}

/**
 * The possible words at the cursor. `word` is the name that ends there, with its parts: `main.sales.ord`. A suggestion
 * replaces the last part. `before` is the text before the word, `after` the text after the cursor.
 */
export type Suggest = (
  word: string,
  before: string,
  after: string,
) => readonly Suggestion[] | Promise<readonly Suggestion[]>;

/** The selected text and its start, counted from line 1 and column 1. Empty: nothing is selected. */
export interface Selection {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

export interface Editor {
  readonly setValue: (value: string) => void;
  readonly setReadOnly: (isReadOnly: boolean) => void;
  readonly setProblems: (problems: readonly Problem[]) => void;
  readonly selection: () => Selection;
  readonly focus: () => void;
  readonly destroy: () => void;
}

/** A name with its parts, such as `main.sales.ord`. Only in YAML a name can contain a minus. */
const wordEnds = {
  sql: /[\p{L}\p{N}_$.`"]*$/u,
  yaml: /[\p{L}\p{N}_$.-]*$/u,
  text: /[\p{L}\p{N}_$.-]*$/u,
};

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--surface)", fontSize: "var(--text-m)" },
  // The host element shows the focus, because here the gutter would cover a part of it.
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-gutters": {
    backgroundColor: "var(--surface-sunken)",
    color: "var(--text-faint)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--surface-hover) 55%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--busy-surface)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--surface-raised)",
    color: "var(--text)",
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--radius)",
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--surface-active)",
    color: "var(--text)",
  },
  ".cm-completionDetail": { color: "var(--text-faint)", fontStyle: "normal" },
  ".cm-lintRange-error": { textDecoration: "underline wavy var(--bad)", backgroundImage: "none" },
  ".cm-lintRange-warning": { textDecoration: "underline wavy var(--warn)", backgroundImage: "none" },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--busy)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--held)" },
  { tag: [tags.comment], color: "var(--text-faint)", fontStyle: "italic" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.typeName], color: "var(--warn)" },
]);

const languages: Readonly<Record<EditorOptions["language"], () => Extension>> = {
  sql: () => sql({ dialect: PostgreSQL }),
  yaml: () => yaml(),
  text: () => [],
};

/**
 * Handles typing over a selection. Otherwise the browser would keep the color of the replaced text with a style
 * attribute, which the content security policy forbids.
 */
const replaceSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { state } = view;
    const { from, to, empty } = state.selection.main;
    const text = event.data;
    if (event.inputType !== "insertText" || text === null || empty || view.composing || state.readOnly)
      return false;
    event.preventDefault();
    const insert = () => state.update(state.replaceSelection(text), { userEvent: "input.type" });
    const handlers = state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert());
    return true;
  },
});

/** A text editor in a shadow root, where its style sheets comply with the content security policy. */
export function createEditor(options: EditorOptions): Editor {
  const readOnly = new Compartment();
  const readOnlyExtension = (isReadOnly: boolean) => [
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({ "aria-readonly": String(isReadOnly) }),
  ];
  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const line = context.matchBefore(wordEnds[options.language]);
    if (!line || (line.text === "" && !context.explicit)) return null;
    const { state, pos } = context;
    const suggestions = await options.suggest(line.text, state.sliceDoc(0, line.from), state.sliceDoc(pos));
    if (suggestions.length === 0) return null;
    return {
      from: line.from + line.text.lastIndexOf(".") + 1,
      options: suggestions.map(({ text, kind, note }) => ({
        label: text,
        type: kind,
        ...(note !== undefined && { detail: note }),
      })),
    };
  };
  const submit = () => {
    options.onSubmit();
    return true;
  };
  const view = new EditorView({
    parent: options.parent,
    root: options.root,
    state: EditorState.create({
      doc: options.value,
      extensions: [
        // This comes first, so that no default binding handles the keys.
        keymap.of([{ key: "Mod-Enter", run: submit }]),
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        highlightSpecialChars(),
        highlightActiveLine(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        replaceSelection,
        autocompletion({ override: [complete] }),
        keymap.of([
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...historyKeymap,
          ...lintKeymap,
          ...defaultKeymap,
        ]),
        languages[options.language](),
        syntaxHighlighting(colours),
        theme,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": options.label, tabindex: "0" }),
        readOnly.of(readOnlyExtension(options.isReadOnly)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setValue(value) {
      const { doc } = view.state;
      if (doc.toString() === value) return;
      view.dispatch({ changes: { from: 0, to: doc.length, insert: value } });
    },
    setReadOnly: (isReadOnly) =>
      view.dispatch({ effects: readOnly.reconfigure(readOnlyExtension(isReadOnly)) }),
    setProblems: (problems) =>
      view.dispatch(setDiagnostics(view.state, problems.map(diagnosticIn(view.state)))),
    selection() {
      const { doc, selection } = view.state;
      const { from, to } = selection.main;
      const line = doc.lineAt(from);
      return { text: doc.sliceString(from, to), line: line.number, column: from - line.from + 1 };
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

const diagnosticIn =
  ({ doc }: EditorState) =>
  ({ line: number, column, length, message, severity = "error" }: Problem): Diagnostic => {
    const line = doc.line(Math.min(Math.max(1, number), doc.lines));
    const from = Math.min(line.from + Math.max(0, column - 1), line.to);
    const word = /^[\w$`]+/.exec(doc.sliceString(from, line.to))?.[0].length ?? 1;
    return { from, to: Math.min(from + (length ?? word), doc.length), severity, message };
  };
