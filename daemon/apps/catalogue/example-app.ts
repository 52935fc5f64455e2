/** The app that the package brings, to start with. */
export const EXAMPLE = "hello_robot";
