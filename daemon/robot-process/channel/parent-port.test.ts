import { EventEmitter } from "node:events";
import { expect, test, vi } from "vitest";
import { ParentPort } from "./parent-port.ts";

test.each([
  ["before this program listened", false],
  ["later", true],
])("a main process that ended %s is noticed", (_, connected) => {
  const forked = Object.assign(new EventEmitter(), { connected });
  const onDisconnect = vi.fn();
  new ParentPort(forked as unknown as ConstructorParameters<typeof ParentPort>[0]).onDisconnect(onDisconnect);
  expect(onDisconnect).toHaveBeenCalledTimes(connected ? 0 : 1);
  if (connected) forked.emit("disconnect");
  expect(onDisconnect).toHaveBeenCalledOnce();
});
