import { AppsCard } from "./apps-card.tsx";
import { Header } from "./header.tsx";
import { InstallBox } from "./install-box.tsx";
import { LinkBanner } from "./link-banner.tsx";
import { LogPanel } from "./log-panel.tsx";
import { MotionPanel } from "./motion-panel.tsx";
import { QuestionDialog } from "./question-dialog.tsx";
import { SlotCard } from "./slot-card.tsx";
import { SoundCard } from "./sound-card.tsx";
import { Stage } from "./stage.tsx";
import { ToastList } from "./toast-list.tsx";

export function App() {
  return (
    <>
      <Header />
      <LinkBanner />
      <main class="page">
        <Stage />
        <div class="side">
          <SlotCard />
          <SoundCard />
          <AppsCard />
          <InstallBox />
        </div>
        <div class="below">
          <LogPanel />
          <MotionPanel />
        </div>
      </main>
      <QuestionDialog />
      <ToastList />
    </>
  );
}
