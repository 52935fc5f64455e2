import { DirectionalLight, HemisphereLight, Mesh, MeshBasicMaterial, PlaneGeometry, Scene } from "three";
import type { Theme } from "../model/materials.ts";
import { createEnvironmentMap } from "./environment-map.ts";
import { createTable, softDisc } from "./table.ts";

const LOOK = {
  light: { key: 2.5, fill: 0.25, sky: "#ffffff", ground: "#c9b49c", environment: 0.4 },
  dark: { key: 1.9, fill: 0.16, sky: "#93a7c9", ground: "#1b1a20", environment: 0.3 },
} as const;

/** Metres around the robot that cast shadows: as far as the objects, for a shadow is the coarser the wider it reaches. */
const REACHES = [0.26, 0.5, 1.5] as const;

/** Lights, the table, and a studio to be reflected. The page behind shows through. */
export class Studio {
  readonly scene = new Scene();
  readonly #key = new DirectionalLight();
  readonly #fill = new HemisphereLight();
  readonly #table = createTable();
  readonly #environment = createEnvironmentMap();

  constructor() {
    this.scene.environment = this.#environment;
    this.#key.position.set(0.24, 0.42, 0.58);
    this.#key.target.position.set(0, 0, 0.1);
    this.#key.castShadow = true;
    this.#key.shadow.mapSize.set(1024, 1024);
    this.#key.shadow.radius = 5;
    this.#key.shadow.normalBias = 0.004;
    this.#key.shadow.bias = -0.0004;
    this.setShadowReach(0);
    const contact = new Mesh(
      new PlaneGeometry(0.17, 0.17),
      new MeshBasicMaterial({
        color: "#000000",
        transparent: true,
        opacity: 0.55,
        alphaMap: softDisc(0.5, 1),
        depthWrite: false,
      }),
    );
    contact.position.z = 0.0008;
    this.scene.add(this.#key, this.#key.target, this.#fill, this.#table.root, contact);
  }

  setTheme(theme: Theme): void {
    const look = LOOK[theme];
    this.#key.intensity = look.key;
    this.#fill.intensity = look.fill;
    this.#fill.color.set(look.sky);
    this.#fill.groundColor.set(look.ground);
    this.#table.setTheme(theme);
    this.scene.environmentIntensity = look.environment;
  }

  /** @param metres from the robot to the farthest object that casts a shadow */
  setShadowReach(metres: number): void {
    const reach = REACHES.find((radius) => metres + 0.06 <= radius) ?? REACHES[2];
    const eye = this.#key.shadow.camera;
    if (eye.right === reach) return;
    const bounds = { left: -reach, right: reach, top: reach + 0.02, bottom: 0.02 - reach };
    Object.assign(eye, { ...bounds, near: Math.max(0.05, 0.56 - reach), far: 1.14 + reach });
    eye.updateProjectionMatrix();
  }

  dispose(): void {
    this.#environment.dispose();
    this.#key.shadow.dispose();
  }
}
