import { sessionFileFormat } from "../../ground/schema/index.ts"
import type { FileTree } from "./file-tree.ts"

/** A tree as the text of a `SessionFile`, in pieces. */
export async function* writeJson(tree: FileTree): AsyncGenerator<string> {
  yield `${open({ ...sessionFileFormat, ...tree.head })},"sessions":[`
  for (const [index, head] of tree.sessions.entries()) {
    yield `${index === 0 ? "" : ","}\n${open(head)},"messages":[`
    let between = "\n"
    for await (const page of tree.messages(head.session.id)) {
      for (const message of page) {
        yield between + JSON.stringify(message)
        between = ",\n"
      }
    }
    yield "]}"
  }
  yield '],"outputs":['
  let between = "\n"
  for await (const output of tree.outputs()) {
    yield between + JSON.stringify(output)
    between = ",\n"
  }
  yield "]}\n"
}

/** A record as text to which more members are added. */
function open(record: object): string {
  return JSON.stringify(record).slice(0, -1)
}
