import { AppsCard } from "../apps/apps-card.tsx";
import { SlotCard } from "../apps/slot-card.tsx";
import { AudioCard } from "../audio/audio-card.tsx";
import { CameraCard } from "../camera/camera-card.tsx";
import { ConnectionBanner } from "../connection/connection-banner.tsx";
import { InstallBox } from "../install/install-box.tsx";
import { LogPanel } from "../logs/log-panel.tsx";
import { MotionPanel } from "../motion/motion-panel.tsx";
import { RobotCard } from "../robot/robot-card.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { Header } from "./header.tsx";
import { ToastList } from "./toast-list.tsx";

export function App() {
  return (
    <>
      <Header />
      <ConnectionBanner />
      <main class="page">
        <RobotCard />
        <div class="side">
          <SlotCard />
          <AppsCard />
          <InstallBox />
          <CameraCard />
          <AudioCard />
        </div>
        <div class="below">
          <LogPanel />
          <MotionPanel />
        </div>
      </main>
      <ConfirmDialog />
      <ToastList />
    </>
  );
}
