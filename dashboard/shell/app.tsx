import { AppDetailsDialog } from "../apps/app-details-dialog.tsx";
import { AppsCard } from "../apps/apps-card.tsx";
import { NewAppDialog } from "../apps/new-app-dialog.tsx";
import { SettingsDialog } from "../apps/settings-dialog.tsx";
import { SlotCard } from "../apps/slot-card.tsx";
import { AudioCard } from "../audio/audio-card.tsx";
import { CameraCard } from "../camera/camera-card.tsx";
import { ConnectionBanner } from "../connection/connection-banner.tsx";
import { InstallBox } from "../install/install-box.tsx";
import { LogPanel } from "../logs/log-panel.tsx";
import { MotionPanel } from "../motion/motion-panel.tsx";
import { ManualControlCard } from "../robot/manual-control-card.tsx";
import { RobotCard } from "../robot/robot-card.tsx";
import { TimeCard } from "../simulation/time-card.tsx";
import { LazyWorkshopPage } from "../workshop/lazy-workshop-page.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { usePage } from "./context.ts";
import { Header } from "./header.tsx";
import { ToastList } from "./toast-list.tsx";

export function App() {
  const { dashboard, workshop } = usePage();
  return (
    <>
      <Header />
      <ConnectionBanner />
      {workshop.opened.value ? <LazyWorkshopPage /> : <Overview />}
      <AppDetailsDialog />
      <NewAppDialog />
      <SettingsDialog />
      <ConfirmDialog />
      {!dashboard.dialogOpen.value && <ToastList />}
    </>
  );
}

/** The robot, its apps and their output. */
function Overview() {
  const { dashboard } = usePage();
  return (
    <main class="page">
      <div class="robot-column">
        <RobotCard />
        {dashboard.robot.simulated.value && <TimeCard />}
      </div>
      <div class="side">
        <SlotCard />
        <AppsCard />
        <InstallBox />
        <ManualControlCard />
        <CameraCard />
        <AudioCard />
      </div>
      <div class="below">
        <LogPanel />
        <MotionPanel />
      </div>
    </main>
  );
}
