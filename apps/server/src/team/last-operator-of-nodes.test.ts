import { startPostgres } from "@docket/db/start-postgres"
import { openNodeLinks } from "@docket/nodes"
import { expect, it, onTestFinished } from "vitest"
import { createKeepingOperator } from "./last-operator.ts"
import { openTables } from "./test/open-tables.ts"

const server = await startPostgres()

if (typeof server === "string") {
  console.warn(`PostgreSQL tests are skipped: ${server}`)
  it.skip(`nodes (${server})`, () => {})
} else {
  it("when two nodes end the last two operators at once, one stays", async () => {
    onTestFinished(server.stop)
    const { people, memberships, person } = await openTables()
    const operators = [await person("Ada", "owner"), await person("Bob", "owner")]
    for (const id of operators) await people.setOperator(id, true)
    const onError = (error: unknown) => {
      throw error
    }
    const keepers = await Promise.all(
      operators.map(async () => {
        const { inOrder, close } = await openNodeLinks({ url: server.url, now: () => performance.now(), onError })
        onTestFinished(close)
        return createKeepingOperator({ people, memberships, inOrder })
      }),
    )
    const ended = await Promise.allSettled(
      operators.map((operator, at) => keepers[at]?.({ operator }, () => people.setOperator(operator, false))),
    )
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
    expect(await people.operators()).toHaveLength(1)
    expect(ended.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "last_operator" } })
  })
}
