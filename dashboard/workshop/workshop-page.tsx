import { effect, useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../ui/components/buttons.tsx";
import { Icon } from "../../ui/components/icons.tsx";
import { LogPanel } from "../logs/log-panel.tsx";
import { RobotCard } from "../robot/robot-card.tsx";
import { usePage } from "../shell/context.ts";
import { ActionBar } from "./action-bar.tsx";
import { AskPanel } from "./ask-panel.tsx";
import { CertificationCard } from "./certification-card.tsx";
import { CompareDialog } from "./compare-dialog.tsx";
import { ConflictBanner } from "./conflict-banner.tsx";
import { EditSession } from "./edit-session.ts";
import { EditorPane } from "./editor/editor-pane.tsx";
import { FILE_PANEL_ID, FileTabs, selectedTabId } from "./file-tabs.tsx";
import { FindingsList } from "./findings-list.tsx";
import "./workshop.css";

const NEW_LINK = "The daemon was started again: open its new link in this tab. Your text stays.";

/** The page on which an app is edited, with the robot beside it. It loads with the editor when it is opened first. */
export default function WorkshopPage() {
  const { dashboard, workshop, workshopClient, workshopStream } = usePage();
  const goToLine = useRef<(line: number) => void>(() => {});
  const [session] = useState(() => {
    workshop.session ??= new EditSession({
      client: workshopClient,
      stream: workshopStream,
      confirm: (question) => dashboard.confirm(question),
      report: dashboard.toasts.report,
      info: (text) => dashboard.toasts.show("info", text),
      onSecretRefused: () => {
        workshop.forgetSecret();
        dashboard.toasts.show("warning", NEW_LINK);
      },
    });
    return workshop.session;
  });
  useEffect(() => {
    workshop.shown();
    const load = () => void session.load();
    const warn = (event: BeforeUnloadEvent) => {
      if (session.files.isChanged.peek()) event.preventDefault();
    };
    addEventListener("beforeunload", warn);
    addEventListener("focus", load);
    const stops = [
      // Whatever was missed while there was no connection, or no secret.
      effect(() => {
        if (!dashboard.connected.value || workshop.secret.value === null) return;
        load();
        void session.certification.load();
      }),
      dashboard.filesWritten.on(load),
      dashboard.certifications.on(session.certification.receive),
      dashboard.robot.onState((state) => session.recordings.receive(state, dashboard.slot.status.peek())),
    ];
    return () => {
      removeEventListener("beforeunload", warn);
      removeEventListener("focus", load);
      for (const stop of stops) stop();
    };
  }, []);
  const goTo = (file: string, line: number) => {
    session.current.value = file;
    requestAnimationFrame(() => goToLine.current(line));
  };
  const isComparing = useSignal(false);
  const tab = useComputed(() => selectedTabId(session));
  return (
    <main class="workshop" aria-label={`Edit ${workshop.app.value}`}>
      <div class="workshop-head">
        <Button small onClick={() => workshop.close()}>
          <Icon name="back" /> Dashboard
        </Button>
        <h2>{workshop.app.value}</h2>
      </div>
      <RobotCard />
      <ActionBar
        session={session}
        compare={() => {
          session.recordings.end();
          isComparing.value = true;
        }}
      />
      <section class="card workshop-editor" aria-label="Editor">
        <FileTabs session={session} />
        <AskPanel session={session} />
        <ConflictBanner session={session} />
        <div class="workshop-text" id={FILE_PANEL_ID} role="tabpanel" aria-labelledby={tab.value}>
          <EditorPane
            session={session}
            onReady={(goTo) => {
              goToLine.current = goTo;
            }}
          />
        </div>
      </section>
      <FindingsList session={session} goTo={goTo} />
      <CertificationCard session={session} goTo={goTo} />
      <LogPanel />
      {isComparing.value && (
        <CompareDialog
          session={session}
          close={() => {
            isComparing.value = false;
          }}
        />
      )}
    </main>
  );
}
