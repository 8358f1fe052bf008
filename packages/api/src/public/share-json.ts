import type { UseCases } from "@docket/core"
import type { ShareInfo } from "@docket/core/schema"
import { inTreeOrder, sharedPages } from "./shared-pages.ts"
import { sharedTree } from "./shared-tree.ts"

/**
 * The whole tree of a share as one JSON document, in pieces: `{ version, share, summary, locked, tasks, sessions: [{
 * session, todos, messages: [{ info, parts }] }] }`. A version never loses a field, but may get more.
 */
export async function* shareJson(runtime: UseCases, share: ShareInfo): AsyncGenerator<string> {
  const { share: info, tree, summary, locked } = await sharedTree(runtime, share)
  const { tasks, todos } = tree
  const head = JSON.stringify({ version: 1, share: info, summary, locked, tasks })
  yield `${head.slice(0, -1)},"sessions":[`
  for (const [index, session] of inTreeOrder(tree.sessions).entries()) {
    const own = JSON.stringify({ session, todos: todos[session.id] ?? [] })
    yield `${index === 0 ? "" : ","}${own.slice(0, -1)},"messages":[`
    let between = ""
    for await (const page of sharedPages(runtime, share, session.id)) {
      for (const message of page) {
        yield between + JSON.stringify(message)
        between = ","
      }
    }
    yield "]}"
  }
  yield "]}\n"
}
