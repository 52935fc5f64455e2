/** Characters of a file's path inside the app. In a file of its own, so that the page takes it without the schemas. */
export const MAX_PATH_LENGTH = 500;
