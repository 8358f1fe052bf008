import { isDocketError, type SearchPage } from "@docket/core"
import { searchLimits } from "@docket/core/query"
import { answerJson } from "../http/answer.ts"
import { searchAll } from "./search-routes.ts"
import { toWireHit } from "./search-wire.ts"
import type { V1App } from "./v1-app.ts"
import { V1Error } from "./v1-error.ts"

/** `/v1/search`. */
export function addSearch(app: V1App): void {
  app.openapi(searchAll, async (c) => {
    const { q: text = "", limit = "", cursor } = c.req.valid("query")
    const { characters } = searchLimits
    if (text.length > characters) throw new V1Error(400, `q is longer than ${characters} characters`)
    const most = /^[1-9]\d{0,8}$/.test(limit) ? Number(limit) : undefined
    const { hits, ...rest } = await explained(
      c.var.tenant.search.find({ text, limit: most, cursor: cursor || undefined }),
    )
    return answerJson(c, { count: hits.length, hits: hits.map(toWireHit), ...rest }, 200)
  })
}

async function explained(work: Promise<SearchPage>): Promise<SearchPage> {
  try {
    return await work
  } catch (error) {
    if (isDocketError(error) && error.code === "invalid_input") throw new V1Error(400, error.message)
    throw error
  }
}
