import type { IncomingMessage } from "node:http"
import { DocketError } from "@docket/core"
import type { z } from "zod"
import { refuseUnknownKeys } from "../input/unknown-keys.ts"
import { readBody } from "./read-body.ts"

/** Size limit of a small body of a plain route, such as a login code (bytes). */
const maxBytes = 64 * 1024

/** Reads and checks a small JSON body. An empty body counts as `{}`. @throws invalid_input, unknown_key */
export async function readJson<T extends z.ZodType>(req: IncomingMessage, schema: T): Promise<z.output<T>> {
  const body = await readBody(req, maxBytes)
  if (body === null) throw new DocketError("invalid_input", `the request body is larger than ${maxBytes} bytes`)
  const sent = parseJson(body.toString())
  refuseUnknownKeys(schema, sent)
  const parsed = schema.safeParse(sent)
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
