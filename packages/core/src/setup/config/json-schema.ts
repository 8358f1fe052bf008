import { z } from "zod"
import { Config } from "./schema.ts"

/**
 * The JSON schema of docket.json, for editors: it completes keys, says what they mean, and marks what is wrong. Draft 7,
 * which editors know best.
 */
export function configJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(Config, { target: "draft-7", io: "input" })
  return { $schema, title: "Configuration of Docket", allowComments: true, allowTrailingCommas: true, ...schema }
}
