import { type RouteConfig, z } from "@hono/zod-openapi"
import { jsonBody, jsonResponse } from "../v1/openapi-parts.ts"
import { behindLogin, invalid, openToAll, refused } from "./plain-answers.ts"

const done = z.object({ ok: z.literal(true) })

/** Descriptions of the routes by which a browser signs in and out of a service without accounts. */
export const describedLogin: RouteConfig[] = [
  openToAll({
    method: "post",
    path: "/api/login",
    operationId: "login",
    summary: "Exchanges the code of a one-time link for the login cookie. A team signs in by its login page.",
    request: { body: jsonBody(z.object({ code: z.string().min(1).max(200) })) },
    responses: {
      200: jsonResponse("the cookie is set", done),
      ...invalid,
      401: refused("the link was used or has expired"),
    },
  }),
  behindLogin("account", {
    method: "post",
    path: "/api/login-code",
    operationId: "createLoginCode",
    summary: "Makes a one-time link that signs a browser in. A team has none.",
    responses: {
      200: jsonResponse("the link", z.object({ loginUrl: z.string() })),
      400: refused("the service is a team's"),
    },
  }),
  behindLogin("self", {
    method: "post",
    path: "/api/logout",
    operationId: "logout",
    summary: "Ends the login of the cookie that is sent along.",
    responses: { 200: jsonResponse("the login has ended", done) },
  }),
]
