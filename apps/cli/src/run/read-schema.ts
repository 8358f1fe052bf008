import { readBoundedFile, unreadableReason } from "@docket/core/file"
import { z } from "zod"
import { UsageError } from "../usage-error.ts"

/** A schema is part of a request. */
const maxBytes = 1024 * 1024

/** Reads a JSON Schema; the service says whether it is one. @throws UsageError when the file holds no JSON object */
export async function readSchema(file: string): Promise<Record<string, unknown>> {
  const bytes = await readBoundedFile(file, maxBytes).catch((cause: unknown) => {
    throw new UsageError(`the schema ${file} ${unreadableReason(cause)}`, { cause })
  })
  const schema = z.record(z.string(), z.unknown()).safeParse(parseJson(bytes.toString("utf8")))
  if (!schema.success) throw new UsageError(`the schema ${file} is no JSON object`)
  return schema.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
