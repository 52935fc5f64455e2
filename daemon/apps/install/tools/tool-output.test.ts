import { expect, test } from "vitest";
import { withSystemCode } from "../../../files/system-error.ts";
import { ToolOutput } from "./tool-output.ts";

// install-app.test.ts covers what pip prints, with pip itself; these are uv 0.13's own words.
test.each([
  [
    "dependency-conflict",
    /cause: Because c==1\.0 depends on a>=99 and a==3\.0/,
    `error: No solution found when resolving dependencies
  cause: Because c==1.0 depends on a>=99 and a==3.0, we can conclude that c==1.0 cannot be used.`,
  ],
  [
    "index-unreachable",
    /does not answer; check the network .*no-such-thing/,
    `error: Failed to fetch: http://127.0.0.1:9/simple/no-such-thing/
  cause: error sending request for url (http://127.0.0.1:9/simple/no-such-thing/)
  cause: client error (Connect)
  cause: tcp connect error
  cause: Connection refused (os error 111)`,
  ],
  [
    "index-unreachable",
    /does not answer; check the network/,
    `error: Request failed after 3 retries in 4.4s
  cause: Failed to fetch: https://index.example/simple/numpy/
  cause: HTTP status client error (429 Too Many Requests) for url (https://index.example/simple/numpy/)`,
  ],
  [
    "index-unreachable",
    /does not answer; check the network/,
    `error: No solution found when resolving dependencies
hint: An index (https://index.example/simple/) returned a 403 Forbidden error. Check that the index URL is correct.`,
  ],
  [
    "index-unreachable",
    /is not trusted.* set SSL_CERT_FILE/,
    `error: Failed to fetch: https://index.example/simple/numpy/
  cause: error sending request for url (https://index.example/simple/numpy/)
  cause: client error (Connect)
  cause: invalid peer certificate: UnknownIssuer`,
  ],
  ["disk-full", /The disk is full/, "error: failed to write to file: No space left on device (os error 28)"],
  [
    "install-failed",
    /^PyGObject, .* apt install .*libgirepository1\.0-dev.* again\. .*error: metadata-generation-failed/,
    `      ../cairo/meson.build:31:12: ERROR: Dependency "cairo" not found (tried pkg-config and cmake)
error: metadata-generation-failed`,
  ],
  ["install-failed", /^error: Something else \(uv pip install ended with 2\)$/, "error: Something else"],
])("what uv prints leads to %s", (code, message, printed) => {
  const output = new ToolOutput();
  for (const line of printed.split("\n")) output.push(line);
  const error = output.toError("uv pip install ended with 2");
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
});

test.each([
  ["503", "index-unreachable"],
  ["429", "index-unreachable"],
  ["404", "install-failed"],
])("a page that pip's log reports as %s is %s", (status, code) => {
  const output = new ToolOutput();
  output.pushLogged(
    `Could not fetch URL https://index.example/simple/a/: ${status} Client Error: Reason for url: https://index.example/simple/a/ - skipping`,
  );
  expect(output.toError("pip install ended with 1").code).toBe(code);
});

test("a certificate that pip does not trust is named as the reason", () => {
  const output = new ToolOutput();
  output.push(
    "Could not fetch URL https://index.example/simple/a/: There was a problem confirming the ssl certificate: (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate (_ssl.c:1006)'))) - skipping",
  );
  output.push("ERROR: No matching distribution found for a");
  expect(output.toError("pip install ended with 1")).toMatchObject({
    code: "index-unreachable",
    message: expect.stringMatching(/is not trusted.* PIP_CERT/),
  });
});

test("an attempt that another one follows explains nothing", () => {
  const output = new ToolOutput();
  output.push("WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError()': /simple/numpy/");
  output.push("ERROR: Something else");
  expect(output.toError("pip install ended with 1").code).toBe("install-failed");
});

test.each(["cairo ", "An index (", " "])("a line of a million times %j takes no longer than a short one", (text) => {
  const output = new ToolOutput();
  // A search that takes quadratic time would not end within the time limit of a test.
  output.push(text.repeat(1_000_000));
  output.pushLogged(text.repeat(1_000_000));
  expect(output.toError("pip install ended with 1").code).toBe("install-failed");
});

test("the system's error of a full disk becomes disk-full", () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  expect(withSystemCode(full)).toMatchObject({ code: "disk-full" });
  const other = new Error("other");
  expect(withSystemCode(other)).toBe(other);
});

test("keeps the reason of a failure and the last lines, however much a tool prints", () => {
  const output = new ToolOutput();
  output.push("error: Something else");
  for (let line = 0; line < 100_000; line += 1) output.push(`noise ${line} ${"x".repeat(1000)}`);
  expect(output.toError("pip install ended with 1").message).toBe("error: Something else (pip install ended with 1)");
  const silent = new ToolOutput();
  for (let line = 0; line < 100_000; line += 1) silent.push(`noise ${line} ${"x".repeat(1000)}`);
  const { message } = silent.toError("pip install ended with 1");
  expect(message).toContain("noise 99999 ");
  expect(message.length).toBeLessThan(5000);
});
