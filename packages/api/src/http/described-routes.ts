import { NodeID, NodeRole, Todo } from "@docket/core/schema"
import { type OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi"
import { describedLinks } from "../public/described-links.ts"
import { jsonResponse } from "../v1/openapi-parts.ts"
import { exportedFile, exportQuery, ImportReport, importQuery } from "../v1/transfer-routes.ts"
import { describedAdministration } from "./described-administration.ts"
import { describedLogin } from "./described-login.ts"
import { configSchemaPath, healthPath, readyPath } from "./paths.ts"
import { behindLogin, invalid, keptFile, missing, openToAll, pathText, refused } from "./plain-answers.ts"
import type { SignedInEnv } from "./signed-in.ts"

const { dependsOn, owner, proposed } = Todo.shape
/** As answers have it, with the fields filled in that rows of older versions lack. */
const FullTodo = Todo.extend({ dependsOn: dependsOn.unwrap(), owner: owner.unwrap(), proposed: proposed.unwrap() })

const sessionParams = z.object({ id: pathText("session id") })

const routes: RouteConfig[] = [
  openToAll({
    method: "get",
    path: healthPath,
    operationId: "health",
    summary: "Whether the service answers, its version, and which process of it answers.",
    responses: {
      200: jsonResponse(
        "it does",
        z.object({
          status: z.literal("ok"),
          version: z.string(),
          role: NodeRole,
          node: NodeID.nullable().describe("null for a service that is one process"),
        }),
      ),
      503: jsonResponse(
        "its database is away, and what runs waits for it",
        z.object({ status: z.literal("database_away"), version: z.string(), message: z.string() }),
      ),
      421: refused("the service is asked by a name that is not its own"),
    },
  }),
  openToAll({
    method: "get",
    path: readyPath,
    operationId: "ready",
    summary: "Whether this process takes requests (a worker: work), for balancers.",
    responses: {
      200: jsonResponse("it does", z.object({ status: z.literal("ready") })),
      503: jsonResponse(
        "it does not, for now",
        z.object({
          status: z.enum(["starting", "draining", "stopping", "database_away"]),
          version: z.string().optional(),
          message: z.string(),
        }),
      ),
      421: refused("the service is asked by a name that is not its own"),
    },
  }),
  openToAll({
    method: "get",
    path: configSchemaPath,
    operationId: "configSchema",
    summary: "The JSON schema of `docket.json`, for editors.",
    responses: {
      200: jsonResponse("the schema", z.looseObject({})),
      421: refused("the service is asked by a name that is not its own"),
    },
  }),
  openToAll({
    method: "get",
    path: "/v1/openapi.json",
    operationId: "openapi",
    summary: "This document.",
    responses: {
      200: jsonResponse("the document", z.looseObject({ openapi: z.string() })),
      421: refused("the service is asked by a name that is not its own"),
    },
  }),
  openToAll({
    method: "get",
    path: "/v1/openapi-3.0.json",
    operationId: "openapi30",
    summary: "The same in OpenAPI 3.0, for tools that read no newer one. It has no webhooks.",
    responses: {
      200: jsonResponse("the document", z.looseObject({ openapi: z.string() })),
      421: refused("the service is asked by a name that is not its own"),
    },
  }),
  behindLogin("read", {
    method: "get",
    path: "/session/{id}/todo",
    operationId: "sessionTodos",
    summary: "The todo list of a session, in order.",
    request: { params: sessionParams },
    responses: { 200: jsonResponse("the list", z.array(FullTodo)), ...missing },
  }),
  behindLogin("read", {
    method: "get",
    path: "/api/export/{id}",
    operationId: "exportOwnSession",
    summary: "The whole tree around a session as one file.",
    request: { params: sessionParams, query: exportQuery },
    responses: { 200: exportedFile, ...invalid, ...missing },
  }),
  behindLogin("prompt", {
    method: "post",
    path: "/api/import",
    operationId: "importOwnSession",
    summary: "Brings a tree from a file of up to 64 MiB.",
    request: {
      query: importQuery,
      body: { required: true, content: { "application/octet-stream": { schema: z.string() } } },
    },
    responses: {
      201: jsonResponse("it is there", ImportReport),
      ...invalid,
      ...missing,
      409: refused("it is there already"),
      413: refused("the file is larger than 64 MiB"),
    },
  }),
  behindLogin("read", {
    method: "get",
    path: "/api/attachment/{session}/{hash}",
    operationId: "attachment",
    summary: "A file of the tree around a session, by the hash of its content. Only pictures open in a browser.",
    request: {
      params: z.object({ session: pathText("session id"), hash: pathText("SHA-256 of the content, in hex") }),
    },
    responses: { 200: keptFile, ...invalid, ...missing },
  }),
  ...describedLogin,
  ...describedAdministration,
  ...describedLinks,
]

/** Describes the plain routes. The code that serves them is elsewhere, beside their use cases. */
export function describePlainRoutes({ openAPIRegistry }: OpenAPIHono<SignedInEnv>): void {
  for (const route of routes) openAPIRegistry.registerPath(route)
}
