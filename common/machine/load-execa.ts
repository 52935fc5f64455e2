/** Loads execa once a program is run: its modules would take a tenth of a second of each start. */
export const loadExeca = async () => (await import("execa")).execa;
