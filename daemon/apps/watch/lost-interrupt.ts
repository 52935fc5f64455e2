/**
 * Recognises a SIGINT that Python lost. Where an exception cannot be raised (in a callback of the import system or of the
 * garbage collector), the interpreter prints the KeyboardInterrupt, `Exception ignored …`, and goes on.
 * @param onLost called once for each
 * @returns takes the lines of standard error
 */
export function watchLostInterrupts(onLost: () => void): (line: string) => void {
  let isIgnored = false;
  return (line) => {
    if (/^Exception ignored /.test(line)) isIgnored = true;
    else if (isIgnored && /^KeyboardInterrupt\b/.test(line)) {
      isIgnored = false;
      onLost();
    } else if (!/^(Traceback|\s)/.test(line)) isIgnored = false;
  };
}
