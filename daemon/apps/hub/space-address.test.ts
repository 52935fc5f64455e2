import fc from "fast-check";
import { expect, test } from "vitest";
import { spaceIdIn } from "./space-address.ts";

const HUB = "https://huggingface.co";
const refusal = (address: string, hub = HUB): string => {
  try {
    return `taken as ${spaceIdIn(address, hub)}`;
  } catch (error) {
    expect(error).toMatchObject({ code: "address-refused" });
    return (error as Error).message;
  }
};

test.each([
  ["https://huggingface.co/spaces/maker/hello_robot", HUB, "maker/hello_robot"],
  ["https://huggingface.co/spaces/maker/hello-robot/", HUB, "maker/hello-robot"],
  ["HTTPS://HuggingFace.co:443/spaces/maker/v1.2?tab=readme#top", HUB, "maker/v1.2"],
  ["http://127.0.0.1:8003/spaces/maker/hello", "http://127.0.0.1:8003", "maker/hello"],
  ["https://hub.example/team/spaces/maker/hello", "https://hub.example/team", "maker/hello"],
])("%s is a space of %s", (address, hub, id) => {
  expect(spaceIdIn(address, hub)).toBe(id);
});

test.each([
  ["https://evil.example/spaces/maker/hello", "https://evil.example is not the hub of this daemon"],
  ["https://huggingface.co.evil.example/spaces/maker/hello", "is not the hub of this daemon"],
  ["http://huggingface.co/spaces/maker/hello", "http://huggingface.co is not the hub"],
  ["file:///etc/passwd", "is not the hub"],
  ["https://user:secret@huggingface.co/spaces/maker/hello", "set HF_TOKEN instead"],
  ["https://huggingface.co/maker/hello", "names no space"],
  ["https://huggingface.co/spaces/maker", "names no space"],
  ["https://huggingface.co/spaces/../../etc/passwd", "names no space"],
  ["https://huggingface.co/spaces/maker/%2e%2e", "names no space"],
  ["https://huggingface.co/spaces/maker%2Fhello/x/y", "names no space"],
  ["https://huggingface.co/spaces/maker/..%2F..%2Fetc", "names no space"],
  ["https://huggingface.co/spaces/maker/hello/tree/main", "names no space"],
  ["https://huggingface.co/spaces/-maker/hello", "names no space"],
  ["not an address", "is no address"],
])("%s is refused", (address, why) => {
  expect(refusal(address)).toContain(why);
  expect(refusal(address)).not.toContain("secret");
});

test("whatever is taken names two plain names", () => {
  const path = fc.array(fc.constantFrom("a", "..", ".", "/", "%2e", "%2f", "\\", "?", "#", "@", ":", "spaces", "-"));
  const property = fc.property(path, (parts) => {
    const outcome = refusal(`${HUB}/spaces/${parts.join("")}`);
    if (outcome.startsWith("taken as ")) expect(outcome.slice(9)).toMatch(/^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/);
  });
  fc.assert(property);
});
