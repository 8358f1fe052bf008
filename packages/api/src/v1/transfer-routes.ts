import { records } from "@docket/core/operations"
import { ProjectID, SessionID } from "@docket/core/schema"
import { z } from "@hono/zod-openapi"
import { guardedRoute } from "./guarded-route.ts"
import { errorResponse, jsonResponse, queryParameter, refusals } from "./openapi-parts.ts"
import { idInAddress } from "./v1-input.ts"
import { wireSchema } from "./wire-schema.ts"

const ExportParams = z.object({
  id: idInAddress(SessionID, "session").openapi({ param: { description: "session id" } }),
})
const flag = { type: "string", enum: ["0", "1"] } satisfies Parameters<typeof queryParameter>[0]

/** The first fields of `SessionFile` of `@docket/core/schema`. */
export const ExportedFile = z.object({ format: z.literal("docket.session"), version: z.number() })

/** A tree in the requested format. */
export const exportedFile = {
  description: "the file",
  content: { "application/json": { schema: ExportedFile }, "text/markdown": { schema: z.string() } },
}

/** How a tree is written. */
export const exportQuery = z.object({
  format: queryParameter({ type: "string", enum: ["json", "markdown"] }, "`json` can be imported again"),
  sanitize: queryParameter(flag, "1 replaces what looks secret, as in a share"),
})

/** Where a tree is imported. */
export const importQuery = z.object({
  project: idInAddress(ProjectID, "project").openapi({ param: { description: "the project that it belongs to" } }),
  new_ids: queryParameter(flag, "1 makes another tree than that of which the file was made"),
})

export const exportSession = guardedRoute("read", {
  method: "get",
  path: "/sessions/{id}/export",
  operationId: "exportSession",
  summary: "The whole tree around a session as one file, sent as it is read; what breaks off is not whole.",
  request: {
    params: ExportParams,
    query: exportQuery,
  },
  responses: {
    200: exportedFile,
    400: errorResponse("the request is not valid; says what is wrong"),
    404: errorResponse("there is no such session, or it is another tenant's"),
    ...refusals,
  },
})

/** What was imported. */
export const ImportReport = z.object({
  sessionID: SessionID,
  title: z.string(),
  from: z.enum(["docket", "opencode", "claude-code"]),
  counts: z.record(z.string(), z.number()),
  left: z.array(z.object({ what: z.string(), count: z.number() })),
})

export const importSession = guardedRoute(
  "prompt",
  {
    method: "post",
    path: "/sessions/import",
    operationId: "importSession",
    summary: "Brings a tree from a file of up to 64 MiB: of Docket, of OpenCode, or a .jsonl of Claude Code.",
    request: {
      query: importQuery,
    },
    responses: {
      201: jsonResponse("it is there", wireSchema(ImportReport, "answer")),
      400: errorResponse("the file is not a session; says what is wrong"),
      404: errorResponse("there is no such project, or it is another tenant's"),
      409: errorResponse("it is there already"),
      413: errorResponse("the file is larger than 64 MiB"),
      ...refusals,
    },
  },
  records("session.imported"),
)
