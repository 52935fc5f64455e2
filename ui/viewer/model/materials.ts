import { Color, MeshBasicMaterial, MeshPhysicalMaterial, MeshStandardMaterial } from "three";

/** The look of the table and its light. */
export type Theme = "light" | "dark";

/** Every surface of the robot, shared by its parts. */
export type Materials = ReturnType<typeof createMaterials>;

export function createMaterials() {
  return {
    shell: new MeshPhysicalMaterial({
      color: "#f4efe6",
      roughness: 0.42,
      clearcoat: 0.55,
      clearcoatRoughness: 0.28,
    }),
    trim: new MeshStandardMaterial({ color: "#d9d2c6", roughness: 0.55 }),
    mechanics: new MeshStandardMaterial({ color: "#2b2d31", roughness: 0.55, metalness: 0.25 }),
    servo: new MeshStandardMaterial({ color: "#3a3d42", roughness: 0.7, metalness: 0.05 }),
    steel: new MeshStandardMaterial({ color: "#c3c7cc", roughness: 0.26, metalness: 0.95 }),
    brass: new MeshStandardMaterial({ color: "#d8a657", roughness: 0.28, metalness: 0.9 }),
    accent: new MeshPhysicalMaterial({ color: "#ff6a45", roughness: 0.4, clearcoat: 0.6, clearcoatRoughness: 0.2 }),
    visor: new MeshPhysicalMaterial({ color: "#14161a", roughness: 0.2, clearcoat: 1, clearcoatRoughness: 0.06 }),
    lens: new MeshPhysicalMaterial({ color: "#050608", roughness: 0.08, clearcoat: 1, clearcoatRoughness: 0.02 }),
    iris: new MeshBasicMaterial({ color: "#7fe3ff" }),
    glint: new MeshBasicMaterial({ color: "#ffffff" }),
    collar: new MeshPhysicalMaterial({
      color: "#8fa3ad",
      roughness: 0.08,
      transparent: true,
      opacity: 0.24,
      depthWrite: false,
      clearcoat: 1,
    }),
  };
}

/** The colour of the eyes: bright while the motors are on, dim while they are off, red on a fault. */
export const EYE_COLOURS = { on: new Color("#7fe3ff"), off: new Color("#5a6b73"), fault: new Color("#ff5a4d") };
export type Glow = keyof typeof EYE_COLOURS;
