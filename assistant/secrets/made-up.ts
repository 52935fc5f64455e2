/** Folders and files whose keys are often made up: tests, examples and prose. */
const SAMPLES =
  /(?:^|\/)(?:tests?|testing|docs?|examples?|samples?|fixtures|references)\/|(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$|\.(?:md|rst|example|sample|template)$/i;

/** What people write into a key or a password that is none. */
const WORDS =
  /test|fake|dummy|example|sample|mock|placeholder|your|change|secret|redacted|invalid|valid|password|passwd|passw0rd|postgres|admin|root|user|xxx|foo|bar|abc|123|\.\.\.|<|\$|\{|…/i;

/** The scheme and the user of an address with a password, and what follows the password. */
const ADDRESS = /^\w+:\/\/[^:/@\s]*:([^@\s]+)@([^:/\s]+)/;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY/;
/** Characters after the head of a private key in which its body begins. */
export const KEY_BODY = 120;
/** A line of the body of a private key. */
const BODY_LINE = /^[A-Za-z0-9+/]{48,}={0,2}\r?$/m;
/** Share of neighbours that are equal or follow each other in the alphabet; of a random key 1 in 20 are. */
const MOST_NEIGHBOURS = 0.3;

/** Whether a file of an app is one of tests, examples or documentation. */
export const isSample = (path: string): boolean => SAMPLES.test(path);

/**
 * Whether a key of a test or an example is made up: it says so, is no random text, or opens what is on the author's own machine.
 * @param after the text after it
 */
export function isMadeUp(key: string, after: string): boolean {
  if (PRIVATE_KEY.test(key)) return !BODY_LINE.test(key) && !BODY_LINE.test(after);
  const [, password, host = ""] = ADDRESS.exec(key) ?? [];
  // A host without dots is a container or this machine.
  if (password !== undefined) return WORDS.test(password) || !host.includes(".") || /^127\./.test(host);
  const body = key.replace(/^.{0,12}?[-_=:]\s*(?=.{16})/, "");
  return WORDS.test(body) || !/\d/.test(body) || !/[a-z]/i.test(body) || neighboursIn(body) > MOST_NEIGHBOURS;
}

function neighboursIn(text: string): number {
  const codes = [...text.toLowerCase()].map((letter) => letter.charCodeAt(0));
  const near = codes.slice(1).filter((code, index) => Math.abs(code - (codes[index] ?? 0)) <= 1).length;
  return near / Math.max(1, codes.length - 1);
}
