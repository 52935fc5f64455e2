import type { RequestHandler } from "express";
import { isSameSecret, tokenCookie } from "../access/token.ts";
import { sendPage } from "./page.ts";

/**
 * Answers `GET /?token=...`, the link that the terminal shows: stores the token in a cookie and removes it from the
 * address. The page reloads itself instead of redirecting, because a browser that followed a link from another site
 * sends no SameSite=Strict cookie with a redirect.
 */
export const signIn =
  (token: string): RequestHandler =>
  (request, response, next) => {
    const given = request.query.token;
    if (request.method !== "GET" || typeof given !== "string" || !isSameSecret(given, token)) return next();
    response.setHeader("set-cookie", tokenCookie(token));
    response.setHeader("cache-control", "no-store");
    response.setHeader("refresh", "0; url=/");
    sendPage(response, "Robot", '<p>Signed in. <a href="/">Continue to the dashboard</a></p>');
  };

/** The page for a browser without the token: a form that asks for it. */
export const SIGN_IN_FORM = `<h1>This robot requires its token</h1>
<p>Open the link that the daemon printed in its terminal, or run <code>robot-daemon link</code> on the robot and scan the
code.</p>
<form method="get"><label>Token <input name="token" type="password" autocomplete="current-password" required></label>
<button>Open</button></form>`;
