import { DocketError, type ImportReport } from "@docket/core"
import { records } from "@docket/core/operations"
import { ProjectID } from "@docket/core/schema"
import { z } from "zod"
import { maxBodyBytes } from "../http/body-limit.ts"
import { allowed, router } from "../trpc.ts"
import { SessionInput } from "./input.ts"

const ExportInput = SessionInput.extend({
  format: z.enum(["json", "markdown"]).default("json"),
  sanitize: z.boolean().default(false),
})

export const transferRouter = router({
  /** The tree around a session as the text of one file, of at most 4 MiB; `GET /api/export/:id` has no limit. */
  export: allowed("read")
    .input(ExportInput)
    .query(async ({ ctx, input }): Promise<{ text: string }> => {
      const { sessionID, ...options } = input
      const pieces: string[] = []
      let size = 0
      for await (const piece of await ctx.runtime.transfer.export(sessionID, options)) {
        size += piece.length
        if (size > maxBodyBytes) throw tooLong(sessionID)
        pieces.push(piece)
      }
      return { text: pieces.join("") }
    }),

  /** Brings a tree from the text of a file, as far as a request holds it; `POST /api/import` takes 64 MiB. */
  import: allowed("prompt", records("session.imported", { facts: ["newIDs"], results: ["from"] }))
    .input(z.object({ projectID: ProjectID, file: z.string(), newIDs: z.boolean().optional() }))
    .mutation(({ ctx, input: { file, ...options } }): Promise<ImportReport> => {
      return ctx.runtime.transfer.import(new TextEncoder().encode(file), options)
    }),
})

function tooLong(sessionID: string): DocketError {
  const words = `This session is longer than one answer holds. Load it from /api/export/${sessionID}.`
  return new DocketError("invalid_input", words)
}
