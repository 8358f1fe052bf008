import { Todo } from "@docket/core/schema"
import { z } from "zod"
import { memoryPaths } from "./memory-paths.ts"
import { jsonResponse, type OpenApiPaths, pathParameter, textResponse } from "./openapi-parts.ts"
import { schedulePaths } from "./schedule-paths.ts"
import { todoPaths } from "./todo-paths.ts"

/** The OpenAPI 3.1 description of the REST routes, made from the schemas that check them. */
export function openApiDocument(version: string): Record<string, unknown> {
  return {
    openapi: "3.1.0",
    info: { title: "Docket", version, description: "Todos, memory and schedules, for programs." },
    security: [{ token: [] }],
    components: {
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description:
            "`atr_` and 64 hex digits, made with `docket token create`, or the token of the service's token file.",
        },
      },
    },
    paths: { ...todoPaths(), ...memoryPaths(), ...schedulePaths(), ...sessionPaths() },
  }
}

function sessionPaths(): OpenApiPaths {
  return {
    "/session/{id}/todo": {
      get: {
        operationId: "sessionTodos",
        summary: "The todo list of a session, in order. Takes the service's token only.",
        parameters: [pathParameter("id", { type: "string" }, "session id")],
        responses: { 200: jsonResponse("the list", z.array(Todo)), 401: textResponse("not signed in") },
      },
    },
  }
}
