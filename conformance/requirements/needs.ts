/** What an app says that it lacks: something that a person has, and the machine that judges it has not. */
export interface Need {
  /** For example `OPENAI_API_KEY` or `the network`. */
  what: string;
  /** How to give it to the app, as a sentence. */
  next: string;
}

const SECRET = /\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:API_KEY|KEY|TOKEN|SECRET))\b/;
/** Words beside the name of a variable that say that it is not there. */
const LACKS =
  /missing|not set|not found|isn't set|unset|must be set|setting the|required|requires|need|provide|please|no .*key|without|invalid|incorrect|KeyError|environment variable/i;
const NETWORK =
  /name resolution|Name or service not known|nodename nor servname|getaddrinfo failed|Network is unreachable|NameResolutionError|LocalEntryNotFoundError|OfflineModeIsEnabled|outgoing traffic has been disabled|couldn't connect to 'https?:|Cannot connect to host (?!localhost|127\.)|Failed to resolve/i;
const LIBRARY = /\b(lib[\w.+-]+\.so(?:\.\d+)*): cannot open shared object file|OSError: (PortAudio) library not found/;
const DEVICE =
  /(No Default Input Device|Error querying device|No default (?:input|output) device|Invalid (?:input|output) device)|(?:cannot|can't|could not|failed to) open (?:the )?(camera|webcam|video)|could not open port (\S+?):/i;
const SERVER =
  /(?:Connection refused|ConnectionRefused|All connection attempts failed).*?(?:localhost|127\.0\.0\.1)[:/', ()port=]*(\d{2,5})/i;

/** The need that lines of an app's output name, the last one first; null when they name none. */
export function needIn(lines: readonly string[]): Need | null {
  for (const line of [...lines].reverse()) {
    const need = needOf(line);
    if (need !== null) return need;
  }
  return null;
}

function needOf(line: string): Need | null {
  const [, secret] = SECRET.exec(line) ?? [];
  if (secret !== undefined && LACKS.test(line))
    return {
      what: secret,
      next: `Set it and certify with --secret ${secret}, which writes it nowhere${secret === "OPENAI_API_KEY" ? ", or with --scripted-provider" : ""}`,
    };
  if (NETWORK.test(line)) return { what: "the network", next: "Certify with --network, which allows it" };
  const [, library, portAudio] = LIBRARY.exec(line) ?? [];
  if (library !== undefined || portAudio !== undefined)
    return { what: `the system library ${library ?? portAudio}`, next: "Install it on this machine" };
  const device = DEVICE.exec(line);
  if (device !== null) {
    const what = device[3] ?? (device[2] === undefined ? "a sound device" : "a camera of its own");
    return { what, next: "The simulated robot has none; judge the app on a machine that has it" };
  }
  const [, port] = SERVER.exec(line) ?? [];
  return port === undefined
    ? null
    : { what: `a server at port ${port} of this machine`, next: "Start it, and certify with --network" };
}
