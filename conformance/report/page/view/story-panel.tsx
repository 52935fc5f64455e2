import { useComputed, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { plain } from "../../../../daemon/dashboard/format.ts";
import { moment } from "../model/figures.ts";
import type { Player } from "../model/player.ts";
import { indexAt, story, type Told } from "../model/scene.ts";

/** Lines that are on the page at once: the part of the story around the moment. */
const PAGE = 400;

/** What happened and what the app printed, at the player's moment; a click on a line goes there. */
export function StoryPanel({ player, requirements }: { player: Player; requirements: readonly string[] }) {
  const list = useRef<HTMLOListElement>(null);
  const told = useComputed(() => (player.scene.value ? story(player.scene.value) : []));
  const times = useComputed(() => told.value.map(({ t }) => t));
  const now = useComputed(() => indexAt(times.value, player.time.value));
  const first = useComputed(() => Math.max(0, Math.floor((now.value - PAGE / 4) / (PAGE / 2)) * (PAGE / 2)));
  useSignalEffect(() => {
    const row = now.value - first.value;
    told.value;
    requestAnimationFrame(() => {
      const box = list.current;
      const line = box?.children[Math.max(0, row)];
      if (!box || !(line instanceof HTMLElement)) return;
      box.scrollTop = line.offsetTop + line.offsetHeight - box.clientHeight * 0.66;
    });
  });
  const shown = told.value.slice(first.value, first.value + PAGE);
  const later = told.value.length - first.value - shown.length;
  return (
    <section class="story" aria-label="Log and events">
      {first.value > 0 && <p class="story-more">{first.value} earlier lines</p>}
      <ol ref={list}>
        {shown.map((line, i) => (
          <Line
            key={first.value + i}
            line={line}
            when={Math.sign(first.value + i - now.value)}
            requirements={requirements}
            go={() => player.seek(line.t)}
          />
        ))}
        {shown.length === 0 && <li class="muted">Nothing was printed and nothing happened.</li>}
      </ol>
      {later > 0 && <p class="story-more">{later} later lines</p>}
    </section>
  );
}

const TENSE: Readonly<Record<string, string>> = { "-1": "past", "0": "now", "1": "future" };

interface LineProps {
  line: Told;
  /** Before, at or after the moment. */
  when: number;
  requirements: readonly string[];
  go: () => void;
}

function Line({ line, when, requirements, go }: LineProps) {
  const id = line.of === "finding" ? requirements.find((each) => line.text.includes(each)) : undefined;
  const name = "state" in line && line.state !== null ? `${line.of} line-${line.state}` : line.of;
  return (
    <li class={`line line-${name} line-${TENSE[when]}`} aria-current={when === 0 ? "time" : undefined}>
      <button type="button" tabIndex={-1} onClick={go}>
        <time>{moment(line.t)}</time>
        <bdi>{plain(line.text)}</bdi>
      </button>
      {id !== undefined && <a href={`#${id}`}>{id}</a>}
    </li>
  );
}
