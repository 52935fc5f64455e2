import fc from "fast-check";
import { expect, test } from "vitest";
import { isAddress, spaceIdIn } from "./space-address.ts";

const HUB = "https://huggingface.co";
const resultOf = (address: string, hub = HUB): string => {
  try {
    return `accepted as ${spaceIdIn(address, hub)}`;
  } catch (error) {
    expect(error).toMatchObject({ code: "address-refused" });
    return (error as Error).message;
  }
};

test.each([
  ["HTTPS://hub.example/spaces/maker/app", true],
  ["git+ssh://hub.example/app", true],
  ["/home/ada/app", false],
  ["apps/https://odd", false],
  ["C:\\apps", false],
])("%s is an address: %s", (text, expected) => {
  expect(isAddress(text)).toBe(expected);
});

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
  ["https://huggingface.co/maker/hello", "is not the address of a space"],
  ["https://huggingface.co/spaces/maker", "is not the address of a space"],
  ["https://huggingface.co/spaces/../../etc/passwd", "is not the address of a space"],
  ["https://huggingface.co/spaces/maker/%2e%2e", "is not the address of a space"],
  ["https://huggingface.co/spaces/maker%2Fhello/x/y", "is not the address of a space"],
  ["https://huggingface.co/spaces/maker/..%2F..%2Fetc", "is not the address of a space"],
  ["https://huggingface.co/spaces/maker/hello/tree/main", "is not the address of a space"],
  ["https://huggingface.co/spaces/-maker/hello", "is not the address of a space"],
  ["not an address", "is not an address"],
])("%s is refused", (address, why) => {
  expect(resultOf(address)).toContain(why);
  expect(resultOf(address)).not.toContain("secret");
});

test("any accepted address has two plain names", () => {
  const path = fc.array(fc.constantFrom("a", "..", ".", "/", "%2e", "%2f", "\\", "?", "#", "@", ":", "spaces", "-"));
  const property = fc.property(path, (parts) => {
    const outcome = resultOf(`${HUB}/spaces/${parts.join("")}`);
    if (outcome.startsWith("accepted as "))
      expect(outcome.slice("accepted as ".length)).toMatch(/^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/);
  });
  fc.assert(property);
});
