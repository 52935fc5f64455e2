import type { RequestHandler } from "express";
import { isSameSecret, tokenCookie } from "../guard/token.ts";
import { sendPage } from "./page.ts";

/**
 * `GET /?token=...`, the link of the terminal: leaves the token in a cookie and takes it out of the address.
 * The page goes on by itself instead of redirecting, because a browser that came here by a link on another site sends
 * no SameSite=Strict cookie along a redirect.
 */
export const signIn =
  (token: string): RequestHandler =>
  (request, response, next) => {
    const given = request.query.token;
    if (request.method !== "GET" || typeof given !== "string" || !isSameSecret(given, token)) return next();
    response.setHeader("set-cookie", tokenCookie(token));
    response.setHeader("cache-control", "no-store");
    response.setHeader("refresh", "0; url=/");
    sendPage(response, "Robot", '<p>Signed in. <a href="/">Go on to the dashboard</a></p>');
  };

/** What a browser without the token is shown: a field for it. */
export const SIGN_IN_FORM = `<h1>This robot asks for its token</h1>
<p>Open the link that the daemon showed in its terminal, or run <code>robot-daemon link</code> on the robot and scan the
code.</p>
<form method="get"><label>Token <input name="token" type="password" autocomplete="current-password" required></label>
<button>Open</button></form>`;
