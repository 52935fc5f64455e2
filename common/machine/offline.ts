/** A hub address that does not answer: nothing listens on the discard port. */
export const UNREACHABLE_HUB = "http://127.0.0.1:9";

/** Environment variables that keep pip and uv off the package index. */
export const NO_PACKAGE_INDEX = { PIP_NO_INDEX: "1", UV_OFFLINE: "1" };
