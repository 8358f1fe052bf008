import { maxImportBytes } from "@docket/core"
import type { z } from "@hono/zod-openapi"
import { alreadySent } from "../http/answer.ts"
import { importRetryAfter, tooManyImports } from "../http/import-limit.ts"
import { readBody } from "../http/read-body.ts"
import { sendJson } from "../http/respond.ts"
import { sendExport } from "../http/send-export.ts"
import { ExportQuery } from "../http/transfer-routes.ts"
import { answerProblem } from "./problem.ts"
import { type ExportedFile, exportSession, ImportReport, importSession } from "./transfer-routes.ts"
import type { V1App, V1Context } from "./v1-app.ts"
import { V1Error } from "./v1-error.ts"
import { problemOf } from "./v1-input.ts"
import { toWire } from "./wire-value.ts"

/** `/v1/sessions/:id/export` and `/v1/sessions/import`. */
export function addTransfers(app: V1App): void {
  app.openapi(exportSession, async (c) => {
    const query = ExportQuery.safeParse(c.req.valid("query"))
    if (!query.success) throw new V1Error(400, problemOf(query.error))
    const exportInput = { id: c.req.valid("param").id, ...query.data }
    await sendExport(transferOf(c), c.env.outgoing, exportInput, c.var.isStillAllowed)
    return alreadySent<z.infer<typeof ExportedFile>, 200>()
  })
  app.openapi(importSession, async (c) => {
    const { project: projectID, new_ids } = c.req.valid("query")
    const transfer = transferOf(c)
    if (!c.var.imports.open(c.var.identity, c.env.outgoing)) {
      c.env.outgoing.setHeader("retry-after", String(importRetryAfter))
      const more = { reason: "import_limit", retry_after_seconds: importRetryAfter }
      return answerProblem(c, { status: 429, message: tooManyImports.message, more })
    }
    const body = await readBody(c.env.incoming, maxImportBytes)
    if (body === null) throw new V1Error(413, `the file is larger than ${maxImportBytes} bytes`)
    const report = await transfer.import({ file: body, projectID, newIDs: new_ids === "1" })
    c.var.recorder?.about({ project: projectID, session: report.sessionID, from: report.from })
    sendJson(c.env.outgoing, 201, toWire(ImportReport, report))
    return alreadySent<never, 201>()
  })
}

/** @throws V1Error 404 for a tenant that runs no agents, and so has no sessions */
function transferOf({ var: { tenant } }: V1Context) {
  if (tenant.agents === null) throw new V1Error(404, "not found")
  return tenant.agents.transfer
}
