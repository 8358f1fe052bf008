import { createHash } from "node:crypto"
import { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import { ProjectID } from "../../ground/schema/index.ts"
import type { ExportOptions } from "../../records/transfer/transfer-service.ts"
import { records } from "./audit-rule.ts"
import { givenAlso, SessionInput } from "./input.ts"
import { inner, mutation, query } from "./operation.ts"

/** The most text in one answer: as much as a request may have. */
const maxCharacters = 4 * 1024 * 1024

const ImportInput = z.object({ projectID: ProjectID, file: z.string(), newIDs: z.boolean().optional() })
/** A session file. Routes may pass bytes; procedures only text. */
export interface Imported {
  projectID: string
  file: string | Uint8Array
  newIDs?: boolean | undefined
}

export const transferOperations = {
  /** The tree around a session as the text of one file of at most 4 MiB. `GET /api/export/:id` has no limit. */
  export: query({
    input: SessionInput.extend({
      format: z.enum(["json", "markdown"]).default("json"),
      sanitize: z.boolean().default(false),
    }),
    needs: ({ sanitize }) => (sanitize ? undefined : "contents-if-away"),
    async run({ transfer }, { sessionID, ...options }) {
      const pieces: string[] = []
      let size = 0
      for await (const piece of await transfer.export(sessionID, options)) {
        size += piece.length
        if (size > maxCharacters) throw tooLong(sessionID)
        pieces.push(piece)
      }
      return { text: pieces.join("") }
    },
  }),

  /** The same in pieces. */
  pieces: inner({
    // What is removed from a sanitized file is in the files of its project.
    needs: ({ sanitize }) => (sanitize ? undefined : "contents"),
    run: ({ transfer }, { sessionID, ...options }: ExportOptions & { sessionID: string }) =>
      transfer.export(sessionID, options),
  }),

  /** Imports a tree from the text of a file, as large as a request may be. `POST /api/import` takes 64 MiB. */
  import: mutation({
    capability: "prompt",
    audit: records("session.imported", { facts: ["newIDs"], results: ["from"] }),
    input: givenAlso<Imported>()(ImportInput),
    idempotent: { remembered: ({ file, ...rest }) => ({ ...rest, digest: digestOf(file) }) },
    run({ transfer }, { file, ...options }) {
      return transfer.import(typeof file === "string" ? new TextEncoder().encode(file) : file, options)
    },
  }),
}

function digestOf(file: string | Uint8Array): string {
  return createHash("sha256").update(file).digest("hex")
}

function tooLong(sessionID: string): DocketError {
  const words = `This session is longer than one answer holds. Load it from /api/export/${sessionID}.`
  return new DocketError("invalid_input", words)
}
