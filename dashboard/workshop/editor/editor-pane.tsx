import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { EditSession } from "../edit-session.ts";
import { CodeEditor } from "./code-editor.ts";

interface Props {
  session: EditSession;
  /** Gives the function that goes to a line, once there is an editor. */
  onReady(goTo: (line: number) => void): void;
}

/** The text of the file that is shown, with marks at what the check finds. */
export function EditorPane({ session, onReady }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | null>(null);
  useEffect(() => {
    const host = box.current;
    if (host === null) return;
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    const created = new CodeEditor(root, {
      onChange: (name, text) => session.setText(name, text),
      onTry: () => void session.try(),
      onKeep: () => void session.keep(),
      onKept: (before) => session.asks.kept(before),
      onDecided: () => queueMicrotask(() => session.asks.decided()),
    });
    editor.current = created;
    show(created, session);
    onReady((line) => created.goTo(line));
    return () => {
      editor.current = null;
      created.dispose();
    };
  }, []);
  // Not with useSignalEffect, which runs a frame later or more: the marks would lag behind what is typed.
  useEffect(() => {
    const stops = [
      effect(() => {
        // Read so that the effect runs again when one of them changes; `show` does not subscribe.
        session.current.value;
        session.files.list.value;
        session.asks.proposal.value;
        if (editor.current) show(editor.current, session);
      }),
      effect(() => {
        const file = session.current.value;
        editor.current?.mark(session.findings.value.filter((finding) => finding.file === file));
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  return <div ref={box} class="editor-box" />;
}

/** Shows the current file, and the model's proposal for it, if there is one. */
function show(editor: CodeEditor, { files, current, asks }: EditSession): void {
  const file = files.get(current.peek());
  if (file === undefined) return;
  editor.show(file.name, file.text);
  const proposal = asks.proposal.peek();
  editor.compare(proposal?.file === file.name ? proposal : null);
}
