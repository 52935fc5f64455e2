const PATHS = {
  play: "M7 5.2v13.6a.8.8 0 0 0 1.2.7l11-6.8a.8.8 0 0 0 0-1.4l-11-6.8a.8.8 0 0 0-1.2.7Z",
  stop: "M7.5 6h9A1.5 1.5 0 0 1 18 7.5v9a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 6 16.5v-9A1.5 1.5 0 0 1 7.5 6Z",
} as const;

const LINES = {
  settings: "M4 7h9m4 0h3M4 17h3m4 0h9M15 7m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0M9 17m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
  sun: "M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4",
  moon: "M20 14.5A8.2 8.2 0 1 1 9.5 4a6.6 6.6 0 0 0 10.5 10.5Z",
  sunrise: "M4 18h16M7 14a5 5 0 0 1 10 0M12 3v5M9.5 5.5 12 3l2.5 2.5M4.2 9.7l1.6 1.3M19.8 9.7l-1.6 1.3",
  camera: "M4 12a8 8 0 1 0 2.6-5.9M4 4v4h4",
  eye: "M2.5 12S6 6 12 6s9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6M12 9.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 1 0 0-5.6",
  ghost: "M12 4a6 6 0 0 0-6 6v10l2-1.5 2 1.5 2-1.5 2 1.5 2-1.5 2 1.5V10a6 6 0 0 0-6-6M10 11h.01M14 11h.01",
  pause: "M9 6v12M15 6v12",
  step: "M6 6v12l8-6ZM18 6v12",
  down: "M12 5v13M6.5 12.5 12 18l5.5-5.5",
  copy: "M9 9h10v11H9zM5 15V4h10",
  clear: "M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7",
  cube: "M12 3.5 19.5 7.5v9L12 20.5l-7.5-4v-9ZM4.7 7.6 12 11.5l7.3-3.9M12 11.5v9",
  plus: "M12 5.5v13M5.5 12h13",
  external: "M13.5 5H19v5.5M19 5l-8 8M16 14v5H5V8h5",
  check: "M5 12.5l4.5 4.5L19 7.5",
  search: "M10.5 4.5a6 6 0 1 0 0 12a6 6 0 1 0 0-12M15 15l5 5",
  heart: "M12 19.5 5.2 12.8a4.2 4.2 0 0 1 6-6l.8.8.8-.8a4.2 4.2 0 0 1 6 6Z",
  refresh: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9M19.5 4.5V9H15",
  close: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  speaker: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  muted: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM15.5 9.5l5 5M20.5 9.5l-5 5",
  microphone: "M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3M6 11a6 6 0 0 0 12 0M12 17v4",
  bell: "M12 4a5 5 0 0 0-5 5c0 5-2 6-2 7h14c0-1-2-2-2-7a5 5 0 0 0-5-5M10.5 19.5a1.7 1.7 0 0 0 3 0",
  pen: "M4 20l1-4.5L16.5 4 20 7.5 8.5 19ZM14 6.5 17.5 10",
  undo: "M8 5 4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-4",
  back: "M10.5 6 4.5 12l6 6M4.5 12H19.5",
  book: "M5 5.5A2.5 2.5 0 0 1 7.5 3H19v15H7.5A2.5 2.5 0 0 0 5 20.5ZM5 20.5A2.5 2.5 0 0 0 7.5 21H19",
} as const;

export type IconName = keyof typeof PATHS | keyof typeof LINES;

/** A decoration; the control it stands in carries the name. */
export function Icon({ name }: { name: IconName }) {
  const filled = name in PATHS;
  const path = filled ? PATHS[name as keyof typeof PATHS] : LINES[name as keyof typeof LINES];
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} class={filled ? "icon-filled" : "icon-line"} />
    </svg>
  );
}
