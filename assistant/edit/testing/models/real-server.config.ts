import { defineConfig } from "vitest/config";

/** `LLAMA_SERVER=/path/to/llama-server npx vitest run --config assistant/edit/testing/models/real-server.config.ts` */
export default defineConfig({
  test: { include: ["assistant/edit/testing/models/real-server.check.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
});
