/** Imports a module of the built programs, which exist only after the build step. @param {string} path below dist/ @returns {Promise<any>} */
export const built = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
