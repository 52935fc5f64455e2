import { readFileSync } from "node:fs";

/** The text of a Python script beside a module, for `python -c`. @param module its `import.meta.url` */
export const pythonScript = (name: string, module: string): string => readFileSync(new URL(name, module), "utf8");
