import { defineConfig } from "vitest/config";

/** `LLAMA_SERVER=/path/to/llama-server npx vitest run --config edit/testing/models/real-server.config.ts` */
export default defineConfig({
  test: { include: ["edit/testing/models/real-server.check.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
});
