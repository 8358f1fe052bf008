import { maxImportBytes } from "@docket/core"
import { records } from "@docket/core/operations"
import { ProjectID, SessionID } from "@docket/core/schema"
import { z } from "zod"
import { answered, answerJson } from "./answer.ts"
import { fileTooLarge } from "./body-limit.ts"
import type { GuardedRoutes } from "./guarded-routes.ts"
import { type ImportLimit, importRetryAfter, tooManyImports } from "./import-limit.ts"
import { importPath } from "./paths.ts"
import { readBody } from "./read-body.ts"
import { sendRefusal } from "./respond.ts"
import { sendExport } from "./send-export.ts"
import { wellFormed } from "./well-formed.ts"

export const ExportQuery = z.object({
  format: z.enum(["json", "markdown"]).default("json"),
  sanitize: z.enum(["0", "1"]).default("0"),
})

const ImportQuery = z.object({ project: ProjectID, new_ids: z.enum(["0", "1"]).default("0") })

/**
 * Trees as files. `GET /api/export/:id?format=json|markdown&sanitize=0|1` sends one while it is read. `POST
 * /api/import?project=:id&new_ids=0|1` takes one of up to 64 MiB.
 */
export function addTransferRoutes(routes: GuardedRoutes, imports: ImportLimit): void {
  routes.get("/api/export/:id", "read", async (c) => {
    const { id } = wellFormed(z.object({ id: SessionID }), { id: c.req.param("id") })
    const query = wellFormed(ExportQuery, c.req.query())
    return answered(sendExport((await c.var.useCases()).transfer, c.env.outgoing, { id, ...query }))
  })
  routes.post(importPath, "prompt", records("session.imported"), async (c) => {
    const { project: projectID, new_ids } = wellFormed(ImportQuery, c.req.query())
    if (!imports.open(c.var.identity, c.env.outgoing)) {
      c.env.outgoing.setHeader("retry-after", String(importRetryAfter))
      return answered(sendRefusal(c.env.outgoing, tooManyImports))
    }
    const body = await readBody(c.env.incoming, maxImportBytes)
    if (body === null) return answered(sendRefusal(c.env.outgoing, fileTooLarge))
    await c.var.checkAgain("prompt")
    const { transfer } = await c.var.useCases()
    const report = await transfer.import({ file: body, projectID, newIDs: new_ids === "1" })
    c.var.recorder?.about({ project: projectID, session: report.sessionID, from: report.from })
    return answerJson(c, report, 201)
  })
}
