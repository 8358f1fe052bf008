import type { IncomingMessage } from "node:http"
import { DocketError } from "@docket/core"
import type { z } from "zod"

/** A login code and the like: nothing a plain route takes is larger. */
const maxBytes = 64 * 1024

/** Reads and checks a small JSON body. An empty body counts as `{}`. @throws invalid_input */
export async function readJson<T extends z.ZodType>(req: IncomingMessage, schema: T): Promise<z.output<T>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req) {
    size += chunk.length
    if (size > maxBytes) throw new DocketError("invalid_input", `the request body is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  const parsed = schema.safeParse(parseJson(Buffer.concat(chunks).toString("utf8")))
  if (!parsed.success) throw new DocketError("invalid_input", "the request body does not have the expected form")
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return text === "" ? {} : JSON.parse(text)
  } catch (cause) {
    throw new DocketError("invalid_input", "the request body is not JSON", { cause })
  }
}
