import { plain } from "../../../../daemon/dashboard/format.ts";
import { Icon } from "../../../../daemon/dashboard/view/icons.tsx";
import type { Judgement, Scene } from "../../../verdict/verdict.ts";
import { linkToFinding, linkToScene } from "../model/places.ts";
import { FigureBar } from "./figure-bar.tsx";
import { Jump } from "./jump.tsx";
import { Mark } from "./mark.tsx";

/** What came of one requirement, and why. */
export function Requirement({ result, scenes }: { result: Judgement; scenes: readonly Scene[] }) {
  const { id, level, section, title, status, findings, reason, waiver, measured } = result;
  const own = scenes.filter((scene) => result.scenes.includes(scene.id));
  return (
    <li id={id} class={`requirement requirement-${status}`} tabIndex={-1}>
      <Mark status={status} />
      <div class="requirement-name">
        <a class="requirement-id" href={`#${id}`}>
          {id}
        </a>
        <span>{title}</span>
        <span class="requirement-level">
          <b class={`level level-${level}`}>{level}</b> <span class="muted">section {section}</span>
        </span>
      </div>
      {findings.length > 0 && (
        <ul class="findings">
          {findings.map(({ message, file, line }) => (
            <li key={`${file}:${line}:${message}`}>
              {file !== "" && <code>{line === null ? file : `${file}:${line}`}</code>}
              <bdi>{plain(message)}</bdi>
              <Jump href={linkToFinding(result, message, scenes)} />
            </li>
          ))}
        </ul>
      )}
      {reason !== null && <p class="requirement-reason">{plain(reason)}</p>}
      {waiver !== null && (
        <p class="waiver">
          <b>Waived</b> until {waiver.expires}, {waiver.owner} answers for it: {waiver.reason}
        </p>
      )}
      {measured.length > 0 && (
        <div class="figures">
          {measured.map((measurement) => (
            <FigureBar key={measurement.name} measurement={measurement} />
          ))}
        </div>
      )}
      {own.length > 0 && (
        <p class="requirement-scenes">
          {own.map((scene) => (
            <a key={scene.id} href={linkToScene(scene)}>
              <Icon name="play" /> {scene.title}
            </a>
          ))}
        </p>
      )}
    </li>
  );
}
