import { useSignal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../ui/components/icons.tsx";
import { usePage } from "../shell/context.ts";
import "../audio/audio.css";
import "./camera.css";

/** Half the camera's size is more than the card has, and costs the daemon a quarter. */
const STREAM = "./api/camera/stream?width=640&fps=10";

/** What the robot sees, while somebody wants to see it. */
export function CameraCard() {
  const { dashboard } = usePage();
  const isOpen = useSignal(false);
  const isVisible = usePageVisibility();
  if (!dashboard.robot.hasCamera.value) return null;
  return (
    <section class="card media camera" aria-label="Camera">
      <div class="media-row">
        <button
          type="button"
          class="toggle media-toggle"
          aria-pressed={isOpen.value}
          title="Show what the robot's camera sees"
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          <Icon name="eye" /> Show the picture
        </button>
        <span class="muted media-status">What the robot sees</span>
      </div>
      {isOpen.value && isVisible && dashboard.connected.value && <View />}
    </section>
  );
}

/** The stream of the camera. The daemon makes pictures only while this is there. */
function View() {
  const picture = useRef<HTMLImageElement>(null);
  const hasFailed = useSignal(false);
  // Browsers go on loading a stream of a picture that is no longer shown, unless it gets another address.
  useEffect(() => {
    const shown = picture.current;
    return () => shown?.removeAttribute("src");
  }, []);
  return (
    <div class="camera-view">
      <img
        ref={picture}
        src={STREAM}
        width="640"
        height="360"
        alt="What the robot's camera sees"
        onError={() => {
          hasFailed.value = true;
        }}
      />
      {hasFailed.value && <p class="camera-fault">The camera has no picture.</p>}
    </div>
  );
}

/** Whether the page is in sight; a tab in the background is not. */
function usePageVisibility(): boolean {
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const update = (): void => setVisible(!document.hidden);
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, []);
  return isVisible;
}
