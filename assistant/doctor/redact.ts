import { homedir } from "node:os";

/** Names of variables whose values are secrets. */
const SECRET_NAME = /TOKEN|KEY|SECRET|PASSWORD|PASSWD|CREDENTIAL/i;
/** A shorter value would be found in ordinary words. */
const SHORTEST = 6;

/** Makes a function that removes secrets and the person's home folder from a text. */
export function redactor(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const secrets = Object.entries(env).flatMap(([name, value]) =>
    SECRET_NAME.test(name) && value !== undefined && value.length >= SHORTEST ? [value] : [],
  );
  const home = env.HOME || homedir();
  return (text) =>
    secrets
      .reduce((done, secret) => done.replaceAll(secret, "[secret]"), text)
      .replace(/\bhf_\w{6,}/g, "[secret]")
      .replace(/(\w+:\/\/)[^/@\s]+@/g, "$1")
      .replace(/([?&](?:token|key)=)[^&\s]+/gi, "$1[secret]")
      .replaceAll(home, "~");
}
