import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import writeFileAtomic from "write-file-atomic";
import { embedData } from "../../common/embed-data.ts";
import type { Picture } from "../../robot/camera/picture.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { FilmRequest, MotionPageData } from "../../robot/wire/film.ts";
import { objectsFrameOf } from "../../robot/wire/scene/scene-frame.ts";
import { frameOf } from "../page/frame.ts";
import type { FilmFrame } from "../page/page-frame.ts";
import { sceneOf } from "../physics/scene.ts";
import type { SimulatedRobot } from "../robot.ts";
import { encodeAnimatedPng, encodePng } from "./animated-png.ts";
import { contactSheet } from "./contact-sheet.ts";

/** Milliseconds between two moments of a film. */
const FILM_PERIOD_MS = 80;
const FILM_SIZE = [480, 360] as const;
/** Pixels of one picture of a sheet. */
const SHEET_SIZE = [320, 240] as const;
const SHEET_COLUMNS = 4;
/** Pictures of a sheet at most. */
const MAX_PICTURES = 12;

type CreateRenderer = (width: number, height: number) => (moment: FilmFrame) => Picture;

/** What a simulated robot did, seen from outside. */
export class Film {
  /** Milliseconds between two moments. */
  readonly periodMs = FILM_PERIOD_MS;
  readonly #simulation: { readonly robot: SimulatedRobot };
  readonly #loadRenderer: () => Promise<CreateRenderer>;
  readonly #moments: FilmFrame[] = [];

  /**
   * @param simulation has the robot as it is now
   * @param loadRenderer loads the renderer, which is large, when the first film is written
   */
  constructor(
    simulation: { readonly robot: SimulatedRobot },
    loadRenderer: () => Promise<CreateRenderer> = loadBuiltRenderer,
  ) {
    this.#simulation = simulation;
    this.#loadRenderer = loadRenderer;
  }

  /** Keeps the present moment. @param seconds its time in the film; replaces a moment of the same time */
  record(seconds: number): void {
    const { robot } = this.#simulation;
    const { objects } = objectsFrameOf(sceneOf(robot.physics, seconds));
    if (this.#moments.at(-1)?.t === seconds) this.#moments.pop();
    this.#moments.push({ ...frameOf(robot), t: seconds, objects });
  }

  /**
   * Draws a part of the film and writes it, whole or not at all.
   * @throws WorkbenchError `bad-request` when there is no moment in that time, or the file cannot be written; `internal` when the
   *   renderer is not built
   */
  async write({ file, start, end }: FilmRequest): Promise<void> {
    const slack = FILM_PERIOD_MS / 2000;
    const moments = this.#moments.filter(({ t }) => t >= start - slack && t <= end + slack);
    if (moments.length === 0)
      throw new WorkbenchError("bad-request", `There is no motion from ${start} to ${end} s: advance the time first.`);
    const createRenderer = await this.#loadRenderer();
    const bytes = file.endsWith(".apng") ? drawAnimation(moments, createRenderer) : drawSheet(moments, createRenderer);
    await writeWhole(file, bytes);
  }
}

/** Writes a file, whole or not at all. @throws WorkbenchError `bad-request` when it cannot be written */
async function writeWhole(file: string, data: string | Buffer): Promise<void> {
  await writeFileAtomic(file, data).catch((error: Error) => {
    throw new WorkbenchError("bad-request", `${file} cannot be written: ${error.message}`, { cause: error });
  });
}

function drawAnimation(moments: readonly FilmFrame[], createRenderer: CreateRenderer): Buffer {
  const draw = createRenderer(...FILM_SIZE);
  function* pictures() {
    for (const moment of moments) yield draw(moment);
  }
  return encodeAnimatedPng(pictures(), FILM_PERIOD_MS);
}

/** Up to `MAX_PICTURES` at even times, the first and the last moment among them. */
function drawSheet(moments: readonly FilmFrame[], createRenderer: CreateRenderer): Buffer {
  const draw = createRenderer(...SHEET_SIZE);
  const count = Math.min(MAX_PICTURES, moments.length);
  const chosen = Array.from({ length: count }, (_, number) => {
    const at = count === 1 ? 0 : Math.round((number * (moments.length - 1)) / (count - 1));
    return moments[at] as FilmFrame;
  });
  return encodePng(
    contactSheet(
      chosen.map((moment) => ({ picture: draw(moment), seconds: moment.t })),
      SHEET_COLUMNS,
    ),
  );
}

/** @throws WorkbenchError `internal` when the renderer is not among the built programs */
async function loadBuiltRenderer(): Promise<CreateRenderer> {
  const url = new URL("../../film-renderer/index.js", import.meta.url);
  if (!existsSync(fileURLToPath(url)))
    throw new WorkbenchError("internal", "The renderer of films is not built; run npm run build.");
  return ((await import(url.href)) as { createFilmRenderer: CreateRenderer }).createFilmRenderer;
}

/** Where the built motion page is, seen from the built programs and from the sources. */
const PAGES = ["../../motion-page/index.html", "../../dist/motion-page/index.html"];

/**
 * Writes a motion, or two over each other, as one HTML file that opens without a server or a network; whole or not at all.
 * @throws WorkbenchError `internal` when the page was never built, `bad-request` when the file cannot be written
 */
export async function writeMotionPage(file: string, data: MotionPageData): Promise<void> {
  const page = PAGES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path));
  if (page === undefined) throw new WorkbenchError("internal", "The page of motions is not built; run npm run build.");
  await writeWhole(file, embedData(await readFile(page, "utf8"), "motion", data));
}
