import type { Scene } from "../../../verdict/verdict.ts";
import { linkToScene } from "../model/places.ts";
import type { ReportModel } from "../model/report-model.ts";
import { slotBands } from "../model/scene.ts";

/** The scenes, each with its life in small; a click opens one. */
export function SceneList({ report: { verdict, player } }: { report: ReportModel }) {
  return (
    <ol class="scene-list">
      {verdict.scenes.map((scene) => (
        <li key={scene.id}>
          <a class="scene" href={linkToScene(scene)} aria-current={player.scene.value === scene ? "true" : undefined}>
            <span class="scene-title">{scene.title}</span>
            <span class="scene-facts">
              {scene.duration.toFixed(1)} s <Failures scene={scene} />
            </span>
            <SmallLife scene={scene} />
          </a>
        </li>
      ))}
    </ol>
  );
}

const failures = ({ events }: Scene) => events.filter(({ kind }) => kind === "finding");

function Failures({ scene }: { scene: Scene }) {
  const { length } = failures(scene);
  if (length === 0) return null;
  return (
    <b class="scene-failures">
      {length} {length === 1 ? "finding" : "findings"}
    </b>
  );
}

function SmallLife({ scene }: { scene: Scene }) {
  const at = (t: number) => `${(t / (scene.duration || 1)) * 100}%`;
  return (
    <span class="small-life" aria-hidden="true">
      {slotBands(scene).map(({ state, from, to }) => (
        <i key={from} class={`band-${state}`} style={{ left: at(from), width: at(to - from) }} />
      ))}
      {failures(scene).map(({ t, text }) => (
        <em key={`${t}${text}`} style={{ left: at(t) }} />
      ))}
    </span>
  );
}
