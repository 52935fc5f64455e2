/** Whether the text of the install box is an address and not a folder. */
export const isAddress = (source: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(source.trim());
