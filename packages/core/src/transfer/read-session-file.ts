import { z } from "zod"
import { type SessionFile, type SessionImport, sessionFileFormat } from "../schema/index.ts"
import { badFile } from "./bad-file.ts"
import { parseText } from "./parse-text.ts"
import { readDocketFile } from "./read-docket-file.ts"
import type { LeftOut } from "./transfer-service.ts"

/** What a file says, in Docket's form. */
export interface ReadFile {
  from: SessionImport["from"]
  file: SessionFile
  left: LeftOut[]
}

const Docket = z.object({ format: z.literal(sessionFileFormat.format) })

/** Knows a file by its content. @throws DocketError invalid_input */
export async function readSessionFile(bytes: Uint8Array, breathe: () => Promise<void>): Promise<ReadFile> {
  const text = parseText(bytes)
  if (text.kind === "json" && Docket.safeParse(text.value).success)
    return { from: "docket", file: await readDocketFile(text.value, breathe), left: [] }
  throw badFile("it is no session of Docket.")
}
